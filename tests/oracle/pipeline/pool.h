/* The barrel of path units of threads: packets in flight, threads that wait for lines or at barriers (divergence.md); its step 6 is
 * in a separate file. The path unit has the rest. */
#pragma once

#include "oracle/pipeline/lanes.h"

struct pool {
    struct bundle *flights; /* in order of issue: in the pipeline, or the rest that waits for lines */
    struct bundle *held;    /* at barriers, each of one block, in order of holding */
    bool *released;         /* of each slot: its warp's barrier releases in this cycle */
    struct lanes lanes;
};

/* Current instruction of the thread; its pc is inside the program. */
const struct ws_instruction *pool_instruction(const struct sm *sm, const struct thread *thread);

/* One packet issues, or the slot stalls. */
void pool_issue(struct sm *sm);

/* ---- For path units ---- */
/* A thread of the warp in the slot starts its program in that lane. */
void pool_enter(struct thread *thread, u32 slot, u32 lane);
/* Like a path's: places of threads, and release of a warp from its barrier. */
void pool_places(const struct sm *sm, u32 slot);
void pool_released(struct sm *sm, u32 slot);
