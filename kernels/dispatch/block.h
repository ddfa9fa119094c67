/* Thread blocks enter when all they need is free and leave when their last warp ends (docs/model.md 8). */
#ifndef WS_DISPATCH_BLOCK_H
#define WS_DISPATCH_BLOCK_H

#include "core/warps.h"

/* Number of threads of the warp that is rank-th of its block. */
static inline u32 threads_of_warp(PRIVATE const struct sm *sm, u32 rank)
{
    return ws_min(sm->machine->core_warp_size, sm->job->block_threads - rank * sm->machine->core_warp_size);
}

/* A warp that enters; defined by the divergence unit. Its threads' cursors are zero, it is selectable from cycle on. */
static inline void unit_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle);

/* Smallest count of fetched instructions of the unfinished resident warps, 0 if there are none. */
static inline u32 fewest_fetched(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, fetched);
    if (sm->live == 0)
        return 0;
    FOR_LANES (lane)
        fetched[OF(lane)] = sm->live >> lane & 1 ? lanes->fetched[OF(lane)] : 0xFFFFFFFFu;
    return lanes_least(&sm->lanes, fetched);
}

/* The next block enters the lowest free slots; its warps start with fetched instructions and are selectable from cycle on. */
static inline void block_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 fetched, u32 cycle)
{
    PER_LANE(u32, taken);
    FOR_LANES (lane)
        taken[OF(lane)] = lanes->block_slots[OF(lane)];
    const u32 slot = ws_ctz(~lanes_ballot(&sm->lanes, taken));
    const u32 block = sm->blocks_entered++;
    u32 slots = 0;
    for (u32 rank = 0; rank < sm->plan->warps_per_block; ++rank) {
        const u32 warp = ws_ctz(~sm->occupied);
        sm->occupied |= ws_bit(warp);
        slots |= ws_bit(warp);
        if (lane_is(warp)) {
            lanes->fetched[OF(warp)] = fetched;
            lanes->pc[OF(warp)] = 0;
            lanes->depth[OF(warp)] = 0;
            lanes->meets[OF(warp)] = WS_NEVER;
            lanes->block_slot[OF(warp)] = slot;
            lanes->first[OF(warp)] = block * sm->job->groups_per_block * WS_LANES + rank * sm->machine->core_warp_size;
        }
        unit_enter(sm, lanes, warp, threads_of_warp(sm, rank), cycle);
    }
    sm->live |= slots;
    if (lane_is(slot)) {
        lanes->block[OF(slot)] = block;
        lanes->block_slots[OF(slot)] = slots;
        lanes->block_live[OF(slot)] = slots;
    }
    if (sm->has_times && lane_first())
        sm->times[times_of_block(sm, block)] = absolute_cycle(sm);
}

/* Whether the next block fits now. */
static inline u32 block_fits(PRIVATE const struct sm *sm)
{
    return sm->blocks_entered < sm->job->blocks && sm->blocks_entered - sm->blocks_ended < sm->plan->resident_blocks &&
           ws_popcount(ws_bits_below(sm->machine->core_warps) & ~sm->occupied) >= sm->plan->warps_per_block;
}

/* Lets blocks enter while they fit; their warps are selectable from cycle on. */
static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle)
{
    if (!block_fits(sm))
        return;
    const u32 fetched = fewest_fetched(sm, lanes);
    do
        block_enter(sm, lanes, fetched, cycle);
    while (block_fits(sm));
}

#endif
