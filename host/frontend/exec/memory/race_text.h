/* Text of a race report. */
#pragma once

#include "frontend/exec/memory/memory.h"
#include "warpsweep/frontend.h"

struct ws_run;

/* An access: thread, time and operation. */
struct ws_moment {
    u32 block, epoch; /* barriers that the block has passed */
    u32 step;         /* counts what warps execute as one */
    u16 thread, pc;
};

/* Reports to options->race two accesses to one byte, the second of them the current one. */
void ws_race_tell(const struct ws_run *run, enum ws_race_kind kind, const struct ws_range *range, u64 byte,
                  const struct ws_moment *first, const struct ws_moment *second);

/* Reports to options->note that values may depend on the order of warps. */
void ws_race_hint(const struct ws_run *run, const struct ws_moment *first, const struct ws_moment *second);
