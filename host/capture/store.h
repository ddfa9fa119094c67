/* The folder of a capture: what is wanted, and what is written there. capture.md says what the files are. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

/* What the command says through the environment (base/capture.h). */
struct capture_wanted {
    const char *folder, *kernel; /* kernel: this one alone; NULL: all */
    u64 first, last;             /* launches of the program, from 0 */
    u64 limit;                   /* bytes of buffers in the folder */
    bool check;                  /* what buffers have after a launch is wanted too */
    const char *binaries;        /* folder of sources by digests of binaries; NULL: none */
    bool keep_binaries;          /* of unknown source too */
};

/* NULL where there is no folder: then nothing is recorded. */
const struct capture_wanted *capture_wanted(void);

/* The number of the next launch of all processes that the program consists of. */
u32 capture_next_number(void);

/* Adds a line to the list of launches. */
void capture_log(u32 number, const char *state, const char *kernel, const char *rest);

/* Counts a binary that was refused. */
void capture_binary_refused(void);

/* Whether as many bytes more stay below the limit, with those of launches under way. */
bool capture_room(u64 bytes);

/* So many bytes have been written. */
void capture_stored(u64 bytes);
