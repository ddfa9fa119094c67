/* Entry of blocks and warps: shared by all ways of dispatch (docs/model/dispatch.md). */
#ifndef WS_DISPATCH_ENTER_H
#define WS_DISPATCH_ENTER_H

#include "dispatch/dispatch.h"

/* Number of threads of the warp that is rank-th of its block. */
static inline u32 threads_of_warp(PRIVATE const struct sm *sm, u32 rank)
{
    return ws_min(MACHINE(sm, core_warp_size), sm->job->block_threads - rank * MACHINE(sm, core_warp_size));
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

/* Warp slots that are free. */
static inline slot_set free_slots(PRIVATE const struct sm *sm)
{
    return slots_minus(slots_below(MACHINE(sm, core_warps)), sm->occupied);
}

/* True if the resident blocks are known unchanged since the last cycle. With one work-item per lane the test would cost registers,
 * so the result is 0. */
static inline u32 blocks_stay(PRIVATE const struct sm *sm)
{
    return LANE_COPIES > 1 && !(sm->changed & CHANGED_BLOCKS);
}

/* Whether the last block has ended. */
static inline u32 last_block_ended(PRIVATE const struct sm *sm)
{
    return !blocks_stay(sm) && sm->blocks_ended == sm->job->blocks;
}

/* Whether a next block exists, with a block slot and shared memory for it. */
static inline u32 next_block_has_room(PRIVATE const struct sm *sm)
{
    return sm->blocks_entered < sm->job->blocks && sm->blocks_entered - sm->blocks_ended < sm->plan->resident_blocks;
}

/* The next block takes the lowest free block slot, which is returned. */
static inline u32 block_enters(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    const u32 slot = slots_first(slots_minus(slots_below(WS_SLOTS), sm->resident));
    record_block(sm, WS_EVENT_block_enters, block, slot);
    if (slot_is(slot)) {
        lanes->block[AT(slot)] = block;
        lanes->block_slots[AT(slot)] = lanes->block_live[AT(slot)] = slots_none();
    }
    sm->resident = slots_with(sm->resident, slot);
    sm->entered = slots_with(sm->entered, slot);
    if (sm_has_times(sm) && lane_first())
        time_of_block(sm, block)->entered = absolute_cycle(sm);
    return slot;
}

/* Common to warps that enter together: their count of fetched instructions at entry, and the cycle from which they are
 * selectable. */
struct entry {
    u32 fetched, cycle;
};

/* The warp that is rank-th of the block in a block slot enters a warp slot. */
static inline void warp_enters(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block_slot, u32 block, u32 rank,
                               struct entry entry)
{
    sm->occupied = slots_with(sm->occupied, warp);
    if (entry.cycle > sm->now)
        sm->entering = slots_with(sm->entering, warp);
    if (slot_is(warp)) {
        lanes->block_slot[AT(warp)] = block_slot;
        lanes->first[AT(warp)] = block * sm->job->groups_per_block * WS_LANES + rank * MACHINE(sm, core_warp_size);
    }
    path_enter(sm, lanes, warp, threads_of_warp(sm, rank), entry.cycle);
    admit(sm, lanes, warp, entry.cycle);
    use_begins(sm, warp);
    time_warp_enters(sm, warp, block, rank, entry.fetched);
    record_warp(sm, WS_EVENT_warp_enters, warp, block, rank);
    if (slot_is(warp))
        lanes->fetched[AT(warp)] = entry.fetched;
    sm->live = slots_with(sm->live, warp);
    if (slot_is(block_slot)) {
        lanes->block_slots[AT(block_slot)] = slots_with(lanes->block_slots[AT(block_slot)], warp);
        lanes->block_live[AT(block_slot)] = slots_with(lanes->block_live[AT(block_slot)], warp);
    }
}

#endif
