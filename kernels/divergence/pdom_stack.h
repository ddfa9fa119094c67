/* The reconvergence stack of a warp of up to 32 threads (docs/model.md 3). What touches a warp's stack runs in the warp's lane. */
#ifndef WS_DIVERGENCE_PDOM_STACK_H
#define WS_DIVERGENCE_PDOM_STACK_H

#include "core/sm.h"

static inline GLOBAL struct ws_entry *pdom_entry(PRIVATE const struct sm *sm, u32 warp, u32 level)
{
    return (GLOBAL struct ws_entry *)sm_stack(sm) + warp * sm->machine->divergence_stack_depth + level;
}

/* Pushes an entry; the depth may go one past the limit, where nothing is written any more. */
static inline void pdom_push(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 reconverge, u32 execute, u32 mask)
{
    const u32 depth = lanes->depth[OF(warp)];
    lanes->depth[OF(warp)] = depth + 1;
    if (depth >= sm->machine->divergence_stack_depth)
        return;
    const struct ws_entry entry = {mask, (u16)reconverge, (u16)execute};
    *pdom_entry(sm, warp, depth) = entry;
    lanes->meets[OF(warp)] = reconverge;
}

static inline void pdom_pop(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = lanes->depth[OF(warp)] - 1;
    const struct ws_entry entry = *pdom_entry(sm, warp, depth);
    lanes->pc[OF(warp)] = entry.execute;
    lanes->mask[OF(warp)] = entry.mask;
    lanes->depth[OF(warp)] = depth;
    lanes->meets[OF(warp)] = depth ? pdom_entry(sm, warp, depth - 1)->reconverge : WS_NEVER;
}

/* Pops while the warp is at its reconvergence point, or has no thread left; returns whether it has ended. */
static inline u32 pdom_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    while (lanes->mask[OF(warp)] == 0 || lanes->pc[OF(warp)] == lanes->meets[OF(warp)]) {
        if (lanes->depth[OF(warp)] == 0)
            return 1;
        sm->scratch->pops[warp] += 1;
        pdom_pop(sm, lanes, warp);
    }
    return 0;
}

/* The active threads leave the warp: its mask and all entries. */
static inline void pdom_leave(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 leaving = lanes->mask[OF(warp)];
    lanes->mask[OF(warp)] = 0;
    for (u32 level = 0; level < lanes->depth[OF(warp)]; ++level)
        pdom_entry(sm, warp, level)->mask &= ~leaving;
}

/* The active threads leave the warp; returns whether it has ended. */
static inline u32 pdom_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    pdom_leave(sm, lanes, warp);
    return pdom_settle(sm, lanes, warp);
}

/* The warp's threads part: those in taken go to the target. */
static inline void pdom_part(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                             PRIVATE const struct ws_instruction *branch, u32 taken)
{
    const u32 mask = lanes->mask[OF(warp)], meets = branch->reconverge, merge = sm->machine->divergence_merge;
    const u32 taken_first = sm->machine->divergence_first_path == WS_first_path_taken;
    const u32 next = lanes->pc[OF(warp)] + 1;
    const u32 other_pc = taken_first ? next : branch->target;
    const u32 other = taken_first ? mask & ~taken : taken;
    if (!(merge && lanes->depth[OF(warp)] > 0 && lanes->meets[OF(warp)] == meets))
        pdom_push(sm, lanes, warp, meets, meets, mask);
    if (!(merge && other_pc == meets))
        pdom_push(sm, lanes, warp, meets, other_pc, other);
    lanes->pc[OF(warp)] = taken_first ? branch->target : next;
    lanes->mask[OF(warp)] = mask & ~other;
}

/* A conditional branch, in all lanes. */
static inline void pdom_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                               PRIVATE const struct ws_instruction *branch, u32 taken)
{
    const u32 mask = lanes_pick(&sm->lanes, lanes->mask, warp);
    const u32 parted = taken != 0 && taken != mask;
    count(sm, parted ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (lane_is(warp)) {
        const u32 before = lanes->depth[OF(warp)];
        if (parted)
            pdom_part(sm, lanes, warp, branch, taken);
        else
            lanes->pc[OF(warp)] = taken ? branch->target : lanes->pc[OF(warp)] + 1;
        sm->scratch->pushes[warp] += lanes->depth[OF(warp)] - before;
    }
    if (parted) {
        const u32 depth = lanes_pick(&sm->lanes, lanes->depth, warp);
        sm->deepest = ws_max(sm->deepest, depth);
        if (depth > sm->machine->divergence_stack_depth)
            sm->status = WS_STATUS_stack_overflow;
    }
    if (lane_is(warp) && sm->status == WS_STATUS_running)
        pdom_settle(sm, lanes, warp);
}

#endif
