/* Thread blocks enter when all their resources are free, and leave when their last warp ends (docs/model/dispatch.md). */
#ifndef WS_DISPATCH_BLOCK_H
#define WS_DISPATCH_BLOCK_H

#include "dispatch/enter.h"
#include "state/slices.h"

static inline u32 block_unissued(PRIVATE const struct sm *sm, u32 block_slot)
{
    return 0;
}

static inline void slot_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block_slot)
{
}

static inline u32 dispatch_next(PRIVATE const struct sm *sm)
{
    return WS_NEVER;
}

static inline u32 unissued_warps(PRIVATE const struct sm *sm)
{
    return 0;
}

/* Slots that the next block may take; with slices, those of free sets. */
static inline slot_set block_places(PRIVATE const struct sm *sm)
{
    return PATH_SLICES ? slots_minus(free_slots(sm), whole_sets(sm, sm->occupied)) : free_slots(sm);
}

/* Whether the next block fits now. */
static inline u32 block_fits(PRIVATE const struct sm *sm)
{
    return next_block_has_room(sm) && slots_count(block_places(sm)) >= sm->plan->slots_per_block;
}

static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle)
{
    if (blocks_stay(sm) || !block_fits(sm))
        return;
    const struct entry entry = {fewest_fetched(sm, lanes), cycle};
    do {
        const u32 block = sm->blocks_entered++, slot = block_enters(sm, lanes, block);
        slot_set places = block_places(sm);
        for (u32 rank = 0; rank < sm->plan->warps_per_block; ++rank, places = slots_rest(places))
            warp_enters(sm, lanes, slots_first(places), slot, block, rank, entry);
    } while (block_fits(sm));
}

#endif
