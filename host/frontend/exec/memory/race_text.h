/* What a race is told as. */
#pragma once

#include "frontend/exec/memory/memory.h"
#include "warpsweep/frontend.h"

struct ws_run;

/* An access: by whom, when, and of which operation. */
struct ws_moment {
    u32 block, epoch; /* barriers that the block has passed */
    u32 step;         /* counts what warps execute as one */
    u16 thread, pc;
};

/* Tells options->race of two accesses to the byte of a range, the second of which just took place. */
void ws_race_tell(const struct ws_run *run, enum ws_race_kind kind, const struct ws_range *range, u64 byte,
                  const struct ws_moment *first, const struct ws_moment *second);
