/* Accesses outside of memory where they are no error: loads read zeros, stores are dropped. */
#pragma once

#include "frontend/exec/step.h"
#include "warpsweep/frontend.h"

struct ws_run;

enum { WS_BEYOND_TEXT = 2000 };

/* What a launch accessed outside of memory. */
struct ws_beyond {
    const struct ws_run *run;   /* executes the block whose turn it is */
    u64 loads, stores;          /* accesses; an atomic is a store */
    char first[WS_BEYOND_TEXT]; /* the first one, with the text of its error */
    struct ws_range range;      /* range of the current access; too short for ws_range_at, which forces each access through here */
    u8 nothing[16];             /* zeros for it to read, or to write over */
};

/* Counts an access to bytes that lie in no range, and gives it private memory. step->range says where it is recorded: at the
 * nearest place of the nearest range. NULL when the launch is not lenient, or no range can hold it. */
u8 *ws_beyond(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread);

/* If there were any, tells options->note their number and the first one. */
void ws_beyond_note(const struct ws_beyond *beyond, const struct ws_kernel *kernel, const struct ws_frontend_options *options);
