/* Warp-level resource management: warps enter as places become free, a block in part if necessary. The buffer holds the warps of
 * the last block that have not entered; no block enters before the buffer is empty (docs/model/dispatch.md; Xiang 4). */
#ifndef WS_DISPATCH_WARP_H
#define WS_DISPATCH_WARP_H

#include "dispatch/enter.h"
#include "state/ports.h"

static inline u32 unissued_warps(PRIVATE const struct sm *sm)
{
    return sm->unissued;
}

static inline u32 block_unissued(PRIVATE const struct sm *sm, u32 block_slot)
{
    return sm->partial_slot == block_slot ? sm->unissued : 0;
}

static inline void slot_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block_slot)
{
    if (MACHINE(sm, dispatch_release) != WS_release_warp)
        return;
    sm->occupied = slots_without(sm->occupied, warp);
    count_slots_back(sm, 1);
    if (slot_is(block_slot))
        lanes->block_slots[AT(block_slot)] = slots_without(lanes->block_slots[AT(block_slot)], warp);
}

/* ---- How many may enter ---- */

/* Whether places may be used that whole blocks would leave empty. */
static inline u32 is_spatial(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, dispatch_spatial) != WS_spatial_off;
}

/* Whether a warp of the buffer may enter. */
static inline u32 buffer_goes_on(PRIVATE const struct sm *sm)
{
    return sm->unissued != 0 && slots_count(sm->occupied) < sm->plan->single_places[is_spatial(sm)];
}

/* How many warps of the next block may enter. */
static inline u32 warps_of_next_block(PRIVATE const struct sm *sm)
{
    const u32 used = slots_count(sm->occupied), all = sm->plan->warps_per_block, spatial = is_spatial(sm);
    const u32 single = sm->plan->single_places[spatial], some = single > used ? single - used : 0;
    if (sm->unissued != 0 || !next_block_has_room(sm))
        return 0;
    if (used + all <= sm->plan->whole_places[spatial])
        return all;
    return MACHINE(sm, dispatch_partial) && some >= MACHINE(sm, dispatch_least) ? some : 0;
}

/* Warps held back by the entry rates in this cycle enter in the next. */
static inline u32 dispatch_next(PRIVATE const struct sm *sm)
{
    return buffer_goes_on(sm) || warps_of_next_block(sm) != 0 ? sm->now + 1 : WS_NEVER;
}

/* ---- Where ---- */

/* The slot for a warp that enters. */
static inline u32 slot_for_warp(PRIVATE const struct sm *sm)
{
    const slot_set free = free_slots(sm);
    slot_set best = free;
    u32 fewest = WS_NEVER;
    if (MACHINE(sm, dispatch_slot) == WS_dispatch_slot_lowest)
        return slots_first(free);
    for (u32 port = 0; port < ports(sm); ++port) {
        const slot_set mine = slots_of_port(sm, port);
        const u32 used = slots_count(slots_and(sm->occupied, mine));
        if (slots_any(slots_and(free, mine)) && used < fewest) {
            best = slots_and(free, mine);
            fewest = used;
        }
    }
    return slots_first(best);
}

/* ---- The step ---- */

/* The first warps of the buffer enter: so many. */
static inline void buffer_enters(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warps, struct entry entry)
{
    const u32 block = sm->blocks_entered - 1;
    for (u32 n = 0; n < warps; ++n) {
        const u32 warp = slot_for_warp(sm), rank = sm->plan->warps_per_block - sm->unissued;
        warp_enters(sm, lanes, warp, sm->partial_slot, block, rank, entry);
        sm->joined = slots_with(sm->joined, warp);
        sm->unissued -= 1;
    }
}

/* Whether dispatch has run before cycle 0. */
static inline u32 first_step_done(PRIVATE const struct sm *sm)
{
    return sm->blocks_entered != 0 && !sm->head->started && sm->now == WS_QUANTUM_START;
}

static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle)
{
    const u32 most_blocks = MACHINE(sm, dispatch_blocks) - 1, most_warps = MACHINE(sm, dispatch_warps) - 1; /* 0: no limit */
    const u32 before = sm->unissued;
    if (first_step_done(sm) || (!buffer_goes_on(sm) && warps_of_next_block(sm) == 0))
        return;
    const struct entry entry = {fewest_fetched(sm, lanes), cycle};
    for (u32 n = 0; n <= most_warps && buffer_goes_on(sm); ++n)
        buffer_enters(sm, lanes, 1, entry);
    count_unissued(sm, 0u - (before - sm->unissued));
    for (u32 n = 0; n <= most_blocks; ++n) {
        const u32 warps = warps_of_next_block(sm);
        if (warps == 0)
            return;
        const u32 block = sm->blocks_entered++;
        sm->partial_slot = block_enters(sm, lanes, block);
        sm->unissued = sm->plan->warps_per_block;
        buffer_enters(sm, lanes, warps, entry);
        count_unissued(sm, sm->unissued);
        count(sm, WS_COUNT_partial_blocks, sm->unissued != 0);
    }
}

#endif
