/* The folder of a capture: selected launches and written files. capture.md describes the files. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

/* Settings of the command, from the environment (base/capture.h). */
struct capture_wanted {
    const char *folder, *kernel; /* kernel: this one alone; NULL: all */
    u64 first, last;             /* launches of the program, from 0 */
    u64 limit;                   /* bytes of buffers in the folder */
    bool check;                  /* contents of buffers after a launch are requested, too */
    const char *binaries;        /* folder of sources by digests of binaries; NULL: none */
    bool keep_binaries;          /* of unknown source too */
};

/* NULL without a folder: nothing is recorded. */
const struct capture_wanted *capture_wanted(void);

/* The number of the next launch, across all processes of the program. */
u32 capture_next_number(void);

/* Adds a line to the list of launches. */
void capture_log(u32 number, const char *state, const char *kernel, const char *rest);

/* Notes that the program has loaded the stand-in for NVIDIA's libraries. */
void capture_cuda_loaded(void);

/* Counts a refused binary. */
void capture_binary_refused(void);

/* Whether this many more bytes stay below the limit, together with launches in flight. */
bool capture_room(u64 bytes);

/* Counts written bytes. */
void capture_stored(u64 bytes);
