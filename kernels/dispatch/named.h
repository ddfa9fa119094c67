/* Barriers for a part of a block (bar.sync with a thread count; docs/model/divergence.md). The first lane owns the counts. */
#ifndef WS_DISPATCH_NAMED_H
#define WS_DISPATCH_NAMED_H

#include "dispatch/times.h"

#if PATH_NAMES_BARRIERS

/* Barrier of a warp: number, flags, and count of threads for which it is. */
enum { NAMED_NUMBER = 15, NAMED_ARRIVES = 16, NAMED_LETS_GO = 32, NAMED_THREADS = 8 };

/* The warp has issued a barrier instruction. */
static inline void named_begins(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 warp)
{
    if (!(instruction->flags & WS_NAMED))
        return;
    sm->at_named = slots_with(sm->at_named, warp);
    if (lane_first())
        sm_named_at(sm)[warp] = (u32)instruction->target << NAMED_THREADS |
                                (instruction->flags & WS_ARRIVES ? (u32)NAMED_ARRIVES : 0) | instruction->bytes;
}

/* Threads with which the warp counts: the last warp of a block counts as full, to a multiple of 32. */
static inline u32 threads_that_come(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block_slot)
{
    const u32 rank = rank_of_warp(sm, lanes, warp, slots_pick(&sm->lanes, lanes->block, block_slot));
    const u32 size = MACHINE(sm, core_warp_size), all = (sm->job->block_threads + WS_LANES - 1) / WS_LANES * WS_LANES;
    return rank == sm->plan->warps_per_block - 1 ? all - rank * size : size;
}

/* The warps of the block at the barrier are released in the next release step. */
static inline void named_lets_go(PRIVATE struct sm *sm, slot_set block, u32 number)
{
    if (!lane_first())
        return;
    for (slot_set left = slots_and(slots_and(sm->at_named, sm->at_barrier), block); slots_any(left); left = slots_rest(left)) {
        GLOBAL u32 *at = sm_named_at(sm) + slots_first(left);
        *at |= (*at & NAMED_NUMBER) == number ? (u32)NAMED_LETS_GO : 0;
    }
}

/* The warp has reached the barrier; returns whether it waits there. */
static inline u32 named_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, warp), come = threads_that_come(sm, lanes, warp, slot);
    u32 at = 0, reached = 0;
    if (lane_first()) {
        at = sm_named_at(sm)[warp];
        GLOBAL u16 *counts = sm_named_counts(sm) + slot * WS_NAMED_COUNTS;
        const u32 sum = counts[at & NAMED_NUMBER] + come;
        reached = sum >= at >> NAMED_THREADS;
        counts[at & NAMED_NUMBER] = (u16)(reached ? 0 : sum);
        counts[WS_NAMED_BARRIERS] = 1;
    }
    at = lanes_from_first(&sm->lanes, at);
    reached = lanes_from_first(&sm->lanes, reached);
    count(sm, WS_COUNT_barrier_arrivals, 1);
    count(sm, WS_COUNT_barrier_releases, reached);
    if (at & NAMED_ARRIVES) {
        sm->at_named = slots_without(sm->at_named, warp);
    } else {
        sm->at_barrier = slots_with(sm->at_barrier, warp);
        sm->arrived = slots_with(sm->arrived, warp);
    }
    if (reached)
        named_lets_go(sm, slots_pick_set(&sm->lanes, lanes->block_slots, slot), at & NAMED_NUMBER);
    return !(at & NAMED_ARRIVES);
}

/* Warps released by barriers for a part of their block. */
static inline slot_set named_released(PRIVATE struct sm *sm)
{
    slot_set released = slots_none();
    for (slot_set left = slots_and(sm->at_named, sm->at_barrier); slots_any(left); left = slots_rest(left)) {
        const u32 warp = slots_first(left);
        u32 at = 0;
        if (lane_first())
            at = sm_named_at(sm)[warp];
        released = slots_put(released, warp, (lanes_from_first(&sm->lanes, at) & NAMED_LETS_GO) != 0);
    }
    sm->at_named = slots_minus(sm->at_named, released);
    return released;
}

/* Warps at a barrier of their whole block. */
static inline slot_set at_block_barrier(PRIVATE const struct sm *sm)
{
    return slots_minus(sm->at_barrier, sm->at_named);
}

/* Resets the barriers of a block slot for its next block. */
static inline void named_ends(PRIVATE struct sm *sm, u32 slot)
{
    if (!lane_first())
        return;
    GLOBAL u16 *counts = sm_named_counts(sm) + slot * WS_NAMED_COUNTS;
    for (u32 n = 0; counts[WS_NAMED_BARRIERS] != 0 && n <= WS_NAMED_BARRIERS; ++n)
        counts[n] = 0;
}

static inline u32 is_at_named(PRIVATE const struct sm *sm, u32 warp)
{
    return slots_has(sm->at_named, warp);
}

#else

static inline void named_begins(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 warp)
{
}

static inline slot_set named_released(PRIVATE struct sm *sm)
{
    return slots_none();
}

static inline slot_set at_block_barrier(PRIVATE const struct sm *sm)
{
    return sm->at_barrier;
}

static inline void named_ends(PRIVATE struct sm *sm, u32 slot)
{
}

static inline u32 is_at_named(PRIVATE const struct sm *sm, u32 warp)
{
    return 0;
}

static inline u32 named_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return 1;
}

#endif

#endif
