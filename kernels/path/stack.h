/* The reconvergence stack of a warp of up to 32 threads (docs/model/divergence.md). A warp's stack is read and written in the
 * warp's lane. */
#ifndef WS_PATH_STACK_H
#define WS_PATH_STACK_H

#include "path/packet.h"

static inline GLOBAL struct ws_entry *stack_entry(PRIVATE const struct sm *sm, u32 warp, u32 level)
{
    return sm_stack(sm) + warp * MACHINE(sm, divergence_stack_depth) + level;
}

/* Pushes an entry. The depth may exceed the limit by one; that entry is not written. */
static inline void stack_push(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 reconverge, u32 execute,
                              u32 mask)
{
    const u32 depth = lanes->depth[AT(warp)];
    lanes->depth[AT(warp)] = depth + 1;
    if (depth >= MACHINE(sm, divergence_stack_depth))
        return;
    const struct ws_entry entry = {mask, (u16)reconverge, (u16)execute};
    *stack_entry(sm, warp, depth) = entry;
    lanes->reconverge_pc[AT(warp)] = reconverge;
}

static inline void stack_pop(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = lanes->depth[AT(warp)] - 1;
    const struct ws_entry entry = *stack_entry(sm, warp, depth);
    lanes->pc[AT(warp)] = entry.execute;
    lanes->mask[AT(warp)] = entry.mask;
    lanes->depth[AT(warp)] = depth;
    lanes->reconverge_pc[AT(warp)] = depth ? stack_entry(sm, warp, depth - 1)->reconverge : WS_NEVER;
}

/* Pops while the warp is at its reconvergence point or has no active thread; returns whether it has ended. */
static inline u32 stack_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    while (lanes->mask[AT(warp)] == 0 || lanes->pc[AT(warp)] == lanes->reconverge_pc[AT(warp)]) {
        if (lanes->depth[AT(warp)] == 0)
            return 1;
        sm->scratch->pops[warp] += 1;
        stack_pop(sm, lanes, warp);
    }
    return 0;
}

/* Active threads exit: they leave the warp's mask and all entries. */
static inline void stack_leave(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 leaving)
{
    lanes->mask[AT(warp)] &= ~leaving;
    lanes->pc[AT(warp)] += 1;
    for (u32 level = 0; level < lanes->depth[AT(warp)]; ++level)
        stack_entry(sm, warp, level)->mask &= ~leaving;
}

/* The warp diverges: the threads in taken go to the target. */
static inline void stack_diverge(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                                 GLOBAL const struct ws_instruction *branch, u32 taken, u32 taken_first)
{
    const u32 mask = lanes->mask[AT(warp)], join_pc = branch->reconverge, merge = MACHINE(sm, divergence_merge);
    const u32 next = lanes->pc[AT(warp)] + 1;
    const u32 other_pc = taken_first ? next : branch->target;
    const u32 other = taken_first ? mask & ~taken : taken;
    if (!(merge && lanes->depth[AT(warp)] > 0 && lanes->reconverge_pc[AT(warp)] == join_pc))
        stack_push(sm, lanes, warp, join_pc, join_pc, mask);
    if (!(merge && other_pc == join_pc))
        stack_push(sm, lanes, warp, join_pc, other_pc, other);
    lanes->pc[AT(warp)] = taken_first ? branch->target : next;
    lanes->mask[AT(warp)] = mask & ~other;
}

#endif
