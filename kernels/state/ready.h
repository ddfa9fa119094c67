/* For each slot the cycle from which it is selectable, and the cycle of its outcome; WS_NEVER: unknown. */
#ifndef WS_STATE_READY_H
#define WS_STATE_READY_H

#include "state/sm.h"

/* The slot is selectable from a cycle on. Runs in its lane. */
static inline void selectable_from(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 cycle)
{
    lanes->ready_at[AT(slot)] = cycle;
#ifdef WS_LANES_LOOP
    const u32 later = cycle > sm->now;
    sm->due.selectable = later ? slots_without(sm->due.selectable, slot) : slots_with(sm->due.selectable, slot);
    if (later)
        calendar_put(&sm->due.ready, slot, cycle);
#endif
}

/* Slots become selectable one after the other, in consecutive cycles; for each, in its lane: */
static inline void selectable_in_turn(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 cycle)
{
    lanes->ready_at[AT(slot)] = cycle;
#ifdef WS_LANES_LOOP
    calendar_mark(&sm->due.ready, slot, cycle);
#endif
}

/* then for all of them. */
static inline void selectable_in_turns(PRIVATE struct sm *sm, slot_set slots, u32 first, u32 count)
{
#ifdef WS_LANES_LOOP
    sm->due.selectable = slots_minus(sm->due.selectable, slots);
    calendar_marked(&sm->due.ready, first, count);
#endif
}

/* Slots that are selectable now. */
static inline slot_set selectable(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#ifdef WS_LANES_LOOP
    sm->due.selectable = slots_or(sm->due.selectable, calendar_take(&sm->due.ready, sm->now, lanes->ready_at));
    return slots_and(sm->live, sm->due.selectable);
#else
    return slots_up_to(&sm->lanes, sm->live, lanes->ready_at, sm->now);
#endif
}

/* A cycle after this one before which no other slot becomes selectable. */
static inline u32 selectable_next(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#ifdef WS_LANES_LOOP
    return sm->due.ready.next;
#else
    PER_SLOT(u32, later);
    FOR_SLOTS (slot)
        later[AT(slot)] = lanes->ready_at[AT(slot)] > sm->now ? lanes->ready_at[AT(slot)] : WS_NEVER;
    return slots_least(&sm->lanes, later);
#endif
}

/* The slot has its outcome in a cycle, this one or later. Runs in its lane. */
static inline void event_in(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 cycle)
{
    lanes->warp_event_at[AT(slot)] = cycle;
#ifdef WS_LANES_LOOP
    calendar_put(&sm->due.events, slot, cycle);
#endif
}

/* Takes the slots with an outcome now; alike: those of them with a given outcome. */
static inline slot_set events_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 outcome, PRIVATE slot_set *alike)
{
#ifdef WS_LANES_LOOP
    const slot_set due = calendar_take(&sm->due.events, sm->now, lanes->warp_event_at);
    *alike = slots_none();
    FOR_SLOTS_OF (slot, due) {
        lanes->warp_event_at[slot] = WS_NEVER;
        *alike = lanes->outcome[slot] == outcome ? slots_with(*alike, slot) : *alike;
    }
    return due;
#else
    PER_SLOT(u32, due);
    PER_SLOT(u32, same);
    FOR_SLOTS (slot) {
        due[AT(slot)] = lanes->warp_event_at[AT(slot)] <= sm->now;
        same[AT(slot)] = due[AT(slot)] && lanes->outcome[AT(slot)] == outcome;
        if (due[AT(slot)])
            lanes->warp_event_at[AT(slot)] = WS_NEVER;
    }
    const slot_set all = slots_ballot(&sm->lanes, due);
    *alike = slots_ballot(&sm->lanes, same);
    return all;
#endif
}

/* A cycle before which no slot has an outcome. */
static inline u32 events_next(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#ifdef WS_LANES_LOOP
    return sm->due.events.next;
#else
    return slots_least(&sm->lanes, lanes->warp_event_at);
#endif
}

#endif
