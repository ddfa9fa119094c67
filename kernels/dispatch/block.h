/* Thread blocks enter when all they need is free and leave when their last warp ends (docs/model.md 8). */
#ifndef WS_DISPATCH_BLOCK_H
#define WS_DISPATCH_BLOCK_H

#include "dispatch/dispatch.h"

/* Number of threads of the warp that is rank-th of its block. */
static inline u32 threads_of_warp(PRIVATE const struct sm *sm, u32 rank)
{
    return ws_min(sm->machine->core_warp_size, sm->job->block_threads - rank * sm->machine->core_warp_size);
}

/* Smallest count of fetched instructions of the unfinished resident warps, 0 if there are none. */
static inline u32 fewest_fetched(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, fetched);
    if (!slots_any(sm->live))
        return 0;
    FOR_SLOTS (slot)
        fetched[AT(slot)] = slots_has(sm->live, slot) ? lanes->fetched[AT(slot)] : 0xFFFFFFFFu;
    return slots_least(&sm->lanes, fetched);
}

/* Lowest free block slot. */
static inline u32 free_block_slot(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, free);
    FOR_SLOTS (slot)
        free[AT(slot)] = !slots_any(lanes->block_slots[AT(slot)]);
    return slots_first(slots_ballot(&sm->lanes, free));
}

/* A warp, rank-th of its block, enters the lowest free slot, which is returned. */
static inline u32 warp_enters(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block, u32 rank, u32 block_slot, u32 cycle)
{
    const u32 warp = slots_first(slots_minus(slots_below(sm->machine->core_warps), sm->occupied));
    sm->occupied = slots_with(sm->occupied, warp);
    if (cycle > sm->now)
        sm->entering = slots_with(sm->entering, warp);
    if (slot_is(warp)) {
        lanes->block_slot[AT(warp)] = block_slot;
        lanes->first[AT(warp)] = block * sm->job->groups_per_block * WS_LANES + rank * sm->machine->core_warp_size;
    }
    path_enter(sm, lanes, warp, threads_of_warp(sm, rank), cycle);
    admit(sm, lanes, warp, cycle);
    return warp;
}

/* The next block enters; its warps start with fetched instructions and are selectable from cycle on. */
static inline void block_enters(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 fetched, u32 cycle)
{
    const u32 slot = free_block_slot(sm, lanes), block = sm->blocks_entered++;
    slot_set warps = slots_none();
    record_block(sm, WS_EVENT_block_enters, block, slot);
    for (u32 rank = 0; rank < sm->plan->warps_per_block; ++rank) {
        const u32 warp = warp_enters(sm, lanes, block, rank, slot, cycle);
        warps = slots_with(warps, warp);
        record_warp(sm, WS_EVENT_warp_enters, warp, block, rank);
        if (slot_is(warp))
            lanes->fetched[AT(warp)] = fetched;
    }
    sm->live = slots_or(sm->live, warps);
    if (slot_is(slot)) {
        lanes->block[AT(slot)] = block;
        lanes->block_slots[AT(slot)] = warps;
        lanes->block_live[AT(slot)] = warps;
    }
    sm->entered = slots_with(sm->entered, slot);
    if (sm_has_times(sm) && lane_first())
        sm_times(sm)[times_of_block(sm, block)] = absolute_cycle(sm);
}

/* Whether the next block fits now. */
static inline u32 block_fits(PRIVATE const struct sm *sm)
{
    return sm->blocks_entered < sm->job->blocks && sm->blocks_entered - sm->blocks_ended < sm->plan->resident_blocks &&
           slots_count(slots_minus(slots_below(sm->machine->core_warps), sm->occupied)) >= sm->plan->warps_per_block;
}

static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle)
{
    if (!block_fits(sm))
        return;
    const u32 fetched = fewest_fetched(sm, lanes);
    do
        block_enters(sm, lanes, fetched, cycle);
    while (block_fits(sm));
}

#endif
