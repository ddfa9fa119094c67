/* `two_level_active`: an active list and a pending queue (docs/model/schedulers.md; Anantpur's TL). A port's slots form a ring:
 * from its base the active ones, then the queue. First lane only; place n of port p is at n * ports + p. */
#ifndef WS_SCHEDULE_TWO_LEVEL_ACTIVE_H
#define WS_SCHEDULE_TWO_LEVEL_ACTIVE_H

#include "schedule/ports.h"

/* Slots of the port. */
static inline u32 ring_size(PRIVATE const struct sm *sm)
{
    return (MACHINE(sm, core_warps) - AT_PORT(sm) + ports(sm) - 1) / ports(sm);
}

/* The n-th of the ring. */
static inline GLOBAL u8 *ring_at(PRIVATE const struct sm *sm, u32 n)
{
    const u32 size = ring_size(sm), place = port_value(sm->ring_base, AT_PORT(sm)) + n;
    return sm_ring(sm) + (place >= size ? place - size : place) * ports(sm) + AT_PORT(sm);
}

/* The first count slots of the ring. */
static inline slot_set ring_first(PRIVATE struct sm *sm, u32 count)
{
    slot_set slots = slots_none();
    if (lane_first())
        for (u32 n = 0; n < count; ++n)
            slots = slots_with(slots, *ring_at(sm, n));
    return slots_from_first(&sm->lanes, slots);
}

/* Moves the slots of a set behind the others, from one place to before another; both keep their order. First lane only. */
static inline void ring_partition(PRIVATE struct sm *sm, slot_set set, u32 from, u32 end)
{
    u32 to = from, moved = 0;
    for (u32 n = from; n < end; ++n) {
        const u32 slot = *ring_at(sm, n);
        if (slots_has(set, slot))
            sm->scratch->sequence[moved++] = slot;
        else
            *ring_at(sm, to++) = (u8)slot;
    }
    for (u32 n = 0; n < moved; ++n)
        *ring_at(sm, to + n) = (u8)sm->scratch->sequence[n];
}

/* Active slots move to the tail of the queue: they are moved to the front of the ring, and its base advances past them. */
static inline void ring_demote(PRIVATE struct sm *sm, slot_set leaving, u32 active)
{
    const u32 size = ring_size(sm), base = port_value(sm->ring_base, AT_PORT(sm)) + slots_count(leaving);
    if (slots_count(leaving) != active && lane_first())
        ring_partition(sm, slots_minus(slots_below(WS_SLOTS), leaving), 0, active);
    port_put(sm->ring_base, AT_PORT(sm), base >= size ? base - size : base);
}

/* With promotion `going`: the first slots of the queue that can continue become active while there is room; returns the number of
 * active slots. */
static inline u32 ring_promote(PRIVATE struct sm *sm, slot_set going, u32 active)
{
    const u32 size = ring_size(sm);
    u32 taken = 0;
    if (lane_first()) {
        slot_set others = slots_below(WS_SLOTS);
        for (u32 n = active; n < size && active + taken < MACHINE(sm, schedule_active); ++n) {
            if (slots_has(going, *ring_at(sm, n))) {
                others = slots_without(others, *ring_at(sm, n));
                ++taken;
            }
        }
        if (taken != 0)
            ring_partition(sm, others, active, size);
    }
    return active + lanes_from_first(&sm->lanes, taken);
}

static inline void two_level_active_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
    const u32 size = ring_size(sm), most = ws_min(size, MACHINE(sm, schedule_active));
    const u32 blind = MACHINE(sm, schedule_promotion) == WS_promotion_blind;
    const u32 begins = port_value(sm->active_count, AT_PORT(sm)) == WS_NEVER;
    const slot_set mine = port_slots(sm), going = slots_and(slots_minus(sm->live, awaiting), mine);
    if (begins) {
        if (lane_first())
            for (u32 n = 0; n < size; ++n)
                *ring_at(sm, n) = (u8)(n * ports(sm) + AT_PORT(sm));
        sm->active_slots = slots_or(sm->active_slots, ring_first(sm, most));
        port_put(sm->active_count, AT_PORT(sm), most);
    }
    const slot_set leaving = slots_minus(slots_and(sm->active_slots, mine), going);
    u32 active = port_value(sm->active_count, AT_PORT(sm));
    if (!slots_any(leaving) && (active == most || !slots_any(slots_minus(going, sm->active_slots))))
        return;
    if (slots_any(leaving))
        ring_demote(sm, leaving, active);
    active -= slots_count(leaving);
    active = blind ? most : ring_promote(sm, going, active);
    const slot_set now = ring_first(sm, active);
    port_put(sm->active_count, AT_PORT(sm), active);
    sm->active_slots = slots_or(slots_minus(sm->active_slots, mine), now);
    if (active < size && slots_any(slots_minus(now, going)))
        sm->changed |= CHANGED_STATE;
}

static inline slot_set two_level_active_candidates(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_and(slots, sm->active_slots);
}

static inline u32 two_level_active_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    u32 n = 0;
    if (lane_first())
        while (!slots_has(ready, *ring_at(sm, n)))
            ++n;
    return lanes_from_first(&sm->lanes, lane_first() ? *ring_at(sm, n) : 0);
}

/* The warp moves to the tail of the active list if it is still active (a large warp that holds decode need not be). */
static inline void two_level_active_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes,
                                           PRIVATE const struct issued *issued)
{
    if (issued->issues && lane_first() && slots_has(sm->active_slots, issued->slot))
        ring_partition(sm, slots_only(issued->slot), 0, port_value(sm->active_count, AT_PORT(sm)));
}

#endif
