/* Barriers and ends of warps and blocks (docs/model/order.md, steps complete and release). */
#ifndef WS_DISPATCH_BARRIERS_H
#define WS_DISPATCH_BARRIERS_H

#include "dispatch/named.h"
#include "dispatch/uses.h"

/* ---- Defined by the way of dispatch (dispatch/dispatch.h) ---- */

static inline u32 block_unissued(PRIVATE const struct sm *sm, u32 block_slot);

static inline void slot_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block_slot);

/* ---- Barriers and ends ---- */

/* The warp has arrived at its block's barrier. */
static inline void warp_arrives(PRIVATE struct sm *sm, u32 warp)
{
    sm->at_barrier = slots_with(sm->at_barrier, warp);
    sm->arrived = slots_with(sm->arrived, warp);
    count(sm, WS_COUNT_barrier_arrivals, 1);
}

/* The warp has reached its barrier instruction, of the whole block or a part; returns whether it waits there. */
static inline u32 warp_at_barrier(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    if (is_at_named(sm, warp))
        return named_arrives(sm, lanes, warp);
    warp_arrives(sm, warp);
    return 1;
}

/* The block in a block slot has ended and all its instructions are complete: frees its resources. */
static inline void block_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block, slot);
    const slot_set slots = slots_pick_set(&sm->lanes, lanes->block_slots, slot);
    sm->occupied = slots_minus(sm->occupied, slots);
    sm->resident = slots_without(sm->resident, slot);
    sm->blocks_ended += 1;
    sm->changed |= LANE_COPIES > 1 ? CHANGED_BLOCKS : 0;
    count_slots_back(sm, slots_count(slots));
    count_rtru(sm, slot);
    named_ends(sm, slot);
    count(sm, WS_COUNT_blocks_done, 1);
    if (slot_is(slot))
        lanes->block_slots[AT(slot)] = slots_none();
    if (sm_has_times(sm) && lane_first())
        time_of_block(sm, block)->ended = absolute_cycle(sm);
    record_block(sm, WS_EVENT_block_ends, block, slot);
}

/* All instructions of the ended warp are complete; leaving: ended warps with incomplete instructions. */
static inline void warp_retires(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, slot_set leaving)
{
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, warp);
    const slot_set block_slots = slots_pick_set(&sm->lanes, lanes->block_slots, slot);
    const slot_set left = slots_or(slots_pick_set(&sm->lanes, lanes->block_live, slot), slots_and(leaving, block_slots));
    if (!slots_has(sm->resident, slot)) /* it ended with another warp that retires in this cycle */
        return;
    if (slots_any(left) || block_unissued(sm, slot) != 0)
        slot_returns(sm, lanes, warp, slot);
    else
        block_ends(sm, lanes, slot);
}

/* The warp has ended. */
static inline void warp_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, warp), block = slots_pick(&sm->lanes, lanes->block, slot);
    const u32 rank = rank_of_warp(sm, lanes, warp, block);
    use_ends(sm, warp, slot);
    sm->live = slots_without(sm->live, warp);
    sm->ended = slots_with(sm->ended, warp);
    count(sm, WS_COUNT_warps_done, 1);
    if (slot_is(slot))
        lanes->block_live[AT(slot)] = slots_without(lanes->block_live[AT(slot)], warp);
    time_warp_ends(sm, lanes, warp, block, rank);
    record_warp(sm, WS_EVENT_warp_ends, warp, block, rank);
    if (!WARPS_RETIRE)
        warp_retires(sm, lanes, warp, slots_none());
}

/* Releases barriers at which all unfinished warps of the block have arrived, or enough of a part. Returns the released warps. */
static inline slot_set release_barriers(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, complete);
    if (NONE_IS_SEEN(sm->at_barrier))
        return slots_none();
    const slot_set arrived = at_block_barrier(sm);
    FOR_SLOTS (slot)
        complete[AT(slot)] = 0;
    FOR_SLOTS_OF (slot, sm->resident) {
        const slot_set live = lanes->block_live[AT(slot)];
        complete[AT(slot)] = slots_any(live) && !slots_any(slots_minus(live, arrived)) && block_unissued(sm, slot) == 0;
    }
    slot_set released = named_released(sm);
    for (slot_set slots = slots_ballot(&sm->lanes, complete); slots_any(slots); slots = slots_rest(slots)) {
        released = slots_or(released, slots_pick_set(&sm->lanes, lanes->block_live, slots_first(slots)));
        count(sm, WS_COUNT_barrier_releases, 1);
    }
    sm->at_barrier = slots_minus(sm->at_barrier, released);
    sm->released = slots_or(sm->released, released);
    return released;
}

#endif
