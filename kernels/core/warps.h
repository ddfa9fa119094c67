/* Barriers and ends of warps and blocks (docs/model.md 2, steps complete and release). */
#ifndef WS_CORE_WARPS_H
#define WS_CORE_WARPS_H

#include "core/sm.h"

/* Words of u64 that the times of a block take. */
static inline u64 times_of_block(PRIVATE const struct sm *sm, u32 block)
{
    return (u64)block * (2u + sm->plan->warps_per_block);
}

/* The warp has arrived at its barrier. */
static inline void warp_arrives(PRIVATE struct sm *sm, u32 warp)
{
    sm->at_barrier |= ws_bit(warp);
    count(sm, WS_COUNT_barrier_arrivals, 1);
}

/* The warp has ended, and perhaps its block with it. */
static inline void warp_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 slot = lanes_pick(&sm->lanes, lanes->block_slot, warp);
    const u32 block_live = lanes_pick(&sm->lanes, lanes->block_live, slot) & ~ws_bit(warp);
    const u32 block_slots = lanes_pick(&sm->lanes, lanes->block_slots, slot);
    const u32 block = lanes_pick(&sm->lanes, lanes->block, slot);
    const u32 block_ends = block_live == 0;
    sm->live &= ~ws_bit(warp);
    count(sm, WS_COUNT_warps_done, 1);
    if (lane_is(slot)) {
        lanes->block_live[OF(slot)] = block_live;
        if (block_ends)
            lanes->block_slots[OF(slot)] = 0;
    }
    if (sm->has_times && lane_first()) {
        const u64 at = times_of_block(sm, block);
        const u32 rank = ws_popcount(block_slots & ws_bits_below(warp));
        sm->times[at + 2 + rank] = absolute_cycle(sm);
        if (block_ends)
            sm->times[at + 1] = absolute_cycle(sm);
    }
    if (block_ends) {
        sm->occupied &= ~block_slots;
        sm->blocks_ended += 1;
        count(sm, WS_COUNT_blocks_done, 1);
    }
}

/* Barriers at which all unfinished warps of the block have arrived. Returns the mask of warps that are let go. */
static inline u32 release_barriers(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, complete);
    FOR_LANES (lane)
        complete[OF(lane)] = lanes->block_live[OF(lane)] != 0 && (lanes->block_live[OF(lane)] & ~sm->at_barrier) == 0;
    u32 released = 0;
    for (u32 slots = lanes_ballot(&sm->lanes, complete); slots != 0; slots &= slots - 1) {
        released |= lanes_pick(&sm->lanes, lanes->block_live, ws_ctz(slots));
        count(sm, WS_COUNT_barrier_releases, 1);
    }
    sm->at_barrier &= ~released;
    return released;
}

#endif
