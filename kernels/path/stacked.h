/* Effect of instructions on a warp with a stack of its own: shared by `pdom` and `vws` (docs/model/divergence.md). */
#ifndef WS_PATH_STACKED_H
#define WS_PATH_STACKED_H

#include "path/narrow.h"

/* Active threads exit; returns whether the warp has ended. */
static inline u32 stacked_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 leaving)
{
    stack_leave(sm, lanes, warp, leaving);
    return stack_settle(sm, lanes, warp);
}

/* A conditional branch, in all lanes. */
static inline void stacked_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                                  GLOBAL const struct ws_instruction *branch, u32 taken)
{
    const u32 mask = slots_pick(&sm->lanes, lanes->mask, warp);
    const u32 diverged = taken != 0 && taken != mask;
    count(sm, diverged ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (slot_is(warp)) {
        const u32 before = lanes->depth[AT(warp)];
        if (diverged)
            stack_diverge(sm, lanes, warp, branch, taken, taken_runs_first(sm, taken > (mask & ~taken)));
        else
            lanes->pc[AT(warp)] = taken ? branch->target : lanes->pc[AT(warp)] + 1;
        sm->scratch->pushes[warp] += lanes->depth[AT(warp)] - before;
    }
    if (diverged) {
        const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
        count_most(sm, WS_COUNT_stack_deepest, depth);
        if (depth > MACHINE(sm, divergence_stack_depth))
            stack_overflows(sm, warp);
    }
    if (slot_is(warp) && sm->status == WS_STATUS_running)
        stack_settle(sm, lanes, warp);
}

static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    stack_settle(sm, lanes, slot);
    return OUTCOME_NEXT;
}

#endif
