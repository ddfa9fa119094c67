/* The barrel of path units of threads: what is under way in it, what waits for lines, what is held at barriers (divergence.md), and
 * its step 6, which is a file of its own. The path unit has the rest. */
#pragma once

#include "oracle/pipeline/lanes.h"

struct pool {
    struct bundle *flights; /* in order of issue: in the pipeline, or what is left of them waits for lines */
    struct bundle *held;    /* at barriers, each of one block, in the order in which they were held */
    bool *released;         /* of each slot: its warp's barrier lets go in this cycle */
    struct lanes lanes;
};

/* Instruction at which the thread is; its pc is inside the program. */
const struct ws_instruction *pool_instruction(const struct sm *sm, const struct thread *thread);

/* One packet issues, or the slot is lost. */
void pool_issue(struct sm *sm);

/* ---- For path units ---- */
/* A thread of the warp in the slot begins its program in that lane. */
void pool_enter(struct thread *thread, u32 slot, u32 lane);
/* As of a path: places of threads, and the release of a warp from its barrier. */
void pool_places(const struct sm *sm, u32 slot);
void pool_released(struct sm *sm, u32 slot);
