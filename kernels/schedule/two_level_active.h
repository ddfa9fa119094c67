/* `two_level_active`: an active list and a pending queue (docs/model.md 7; Anantpur's TL). A port's slots stand in one sequence, the
 * active ones first, then the queue; place n of port p is kept with slot n * ports + p. */
#ifndef WS_SCHEDULE_TWO_LEVEL_ACTIVE_H
#define WS_SCHEDULE_TWO_LEVEL_ACTIVE_H

#include "schedule/ports.h"

/* Whether a place belongs to the port, and its number there. */
static inline u32 place_is_mine(PRIVATE const struct sm *sm, u32 place)
{
    return place < sm->machine->core_warps && place % ports(sm) == AT_PORT(sm);
}

/* The sequence as every slot's lane has moved it: new places, of the port, of what stands in each place. */
static inline void sequence_moves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const u32 *to)
{
    FOR_SLOTS (place)
        if (place_is_mine(sm, place))
            sm->scratch->sequence[to[AT(place)] * ports(sm) + AT_PORT(sm)] = lanes->sequence[AT(place)];
    lanes_fence(&sm->lanes);
    FOR_SLOTS (place)
        if (place_is_mine(sm, place))
            lanes->sequence[AT(place)] = sm->scratch->sequence[place];
    lanes_fence(&sm->lanes);
}

/* Slots that stand in the first places. */
static inline slot_set sequence_first(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 count)
{
    slot_set slots = slots_none();
    for (u32 n = 0; n < count; ++n)
        slots = slots_with(slots, slots_pick(&sm->lanes, lanes->sequence, n * ports(sm) + AT_PORT(sm)));
    return slots;
}

/* Moves the places of a set (numbers of the port) behind the others up to an end; both keep their order. */
static inline void sequence_parts(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set places, u32 from, u32 end)
{
    PER_SLOT(u32, to);
    const slot_set others = slots_minus(slots_minus(slots_below(end), slots_below(from)), places);
    FOR_SLOTS (place) {
        const u32 n = place / ports(sm);
        to[AT(place)] = n;
        if (n >= from && n < end)
            to[AT(place)] = from + (slots_has(places, n) ? slots_count(others) + slots_count(slots_and(places, slots_below(n)))
                                                         : slots_count(slots_and(others, slots_below(n))));
    }
    sequence_moves(sm, lanes, to);
}

/* Places of the port whose slots are in a set. */
static inline slot_set places_of(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    PER_SLOT(u32, in);
    FOR_SLOTS (place)
        in[AT(place)] = place_is_mine(sm, place) && slots_has(slots, lanes->sequence[AT(place)]);
    const slot_set places = slots_ballot(&sm->lanes, in);
    slot_set numbers = slots_none();
    for (slot_set left = places; slots_any(left); left = slots_rest(left))
        numbers = slots_with(numbers, slots_first(left) / ports(sm));
    return numbers;
}

/* With promotion `going`: takes going slots from the queue while the list has room; returns the length of the list. */
static inline u32 promote_going(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set going, u32 active, u32 total)
{
    slot_set places = slots_minus(places_of(sm, lanes, going), slots_below(active));
    slot_set taken = slots_none();
    for (; slots_any(places) && active + slots_count(taken) < sm->machine->schedule_active; places = slots_rest(places))
        taken = slots_with(taken, slots_first(places));
    if (!slots_any(taken))
        return active;
    sequence_parts(sm, lanes, slots_minus(slots_from(active, total - active), taken), active, total);
    return active + slots_count(taken);
}

static inline void two_level_active_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
    const u32 total = (sm->machine->core_warps - AT_PORT(sm) + ports(sm) - 1) / ports(sm);
    const slot_set mine = port_slots(sm), going = slots_minus(sm->live, awaiting);
    u32 active = sm->active_count[AT_PORT(sm)];
    if (active == WS_NEVER) {
        active = ws_min(total, sm->machine->schedule_active);
        sm->active_slots = slots_or(sm->active_slots, sequence_first(sm, lanes, active));
    }
    const slot_set before = slots_and(sm->active_slots, mine);
    const slot_set leaving = slots_minus(before, going);
    if (slots_any(leaving)) {
        sequence_parts(sm, lanes, places_of(sm, lanes, leaving), 0, total);
        active -= slots_count(leaving);
    }
    if (sm->machine->schedule_promotion == WS_promotion_blind)
        active = ws_min(total, sm->machine->schedule_active);
    else
        active = promote_going(sm, lanes, slots_and(going, mine), active, total);
    sm->active_count[AT_PORT(sm)] = active;
    const slot_set now = sequence_first(sm, lanes, active);
    sm->active_slots = slots_or(slots_minus(sm->active_slots, mine), now);
    if (slots_any(slots_minus(now, going)) && active < total)
        sm->changed |= CHANGED_STATE;
}

static inline slot_set two_level_active_looks(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_and(slots, sm->active_slots);
}

static inline u32 two_level_active_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    return slots_pick(&sm->lanes, lanes->sequence, slots_first(places_of(sm, lanes, ready)) * ports(sm) + AT_PORT(sm));
}

static inline void two_level_active_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    const slot_set places = places_of(sm, lanes, slots_only(issued->slot));
    if (slots_has(sm->active_slots, issued->slot))
        sequence_parts(sm, lanes, places, slots_first(places), sm->active_count[AT_PORT(sm)]);
}

static inline u32 two_level_active_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
    return 0;
}

#endif
