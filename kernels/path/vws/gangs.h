/* The gangs of small warps (docs/model/pipelines.md; Rogers 4.2 to 4.4). A unit is a gang or a single warp, identified by the slot
 * of its lowest slice. A set of C slots has at most C / 2 gangs, with distinct numbers. */
#ifndef WS_PATH_VWS_GANGS_H
#define WS_PATH_VWS_GANGS_H

#include "dispatch/times.h"
#include "state/slices.h"

#define GANGS_OF_SET 4u

/* Members of gangs with at least one member among the slots. */
static inline slot_set gangs_with(PRIVATE const struct sm *sm, slot_set slots)
{
    slot_set members = slots_none();
    for (u32 n = 0; n < GANGS_OF_SET; ++n)
        members = slots_or(members, slots_and(sm->gangs[n], whole_sets(sm, slots_and(sm->gangs[n], slots))));
    return members;
}

/* Members of gangs with all members among the slots. */
static inline slot_set gangs_within(PRIVATE const struct sm *sm, slot_set slots)
{
    const slot_set ganged = slots_minus(sm->ganged, slots);
    return slots_minus(sm->ganged, slots_any(ganged) ? gangs_with(sm, ganged) : ganged);
}

/* Slots whose warps are single. */
static inline slot_set singles_of(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_minus(slots, sm->ganged);
}

/* Members of units with all members among the slots. */
static inline slot_set units_within(PRIVATE const struct sm *sm, slot_set slots)
{
    return slots_or(singles_of(sm, slots), gangs_within(sm, slots));
}

/* Leader slots of units with a member among the slots. */
static inline slot_set leaders_of(PRIVATE const struct sm *sm, slot_set slots)
{
    slot_set leaders = singles_of(sm, slots);
    for (u32 n = 0; n < GANGS_OF_SET; ++n)
        leaders = slots_or(leaders, lowest_slots(sm, slots_and(sm->gangs[n], slots)));
    return leaders;
}

/* Members of the unit of a slot, a mask of slices. */
static inline u32 unit_of_slot(PRIVATE const struct sm *sm, u32 slot)
{
    const u32 set = set_of(sm, slot), own = ws_bit(slice_of(sm, slot));
    u32 members = own;
    if (!slots_has(sm->ganged, slot))
        return own;
    for (u32 n = 0; n < GANGS_OF_SET; ++n) {
        const u32 gang = slices_of_set(sm, sm->gangs[n], set);
        members |= (gang & own) != 0 ? gang : 0;
    }
    return members;
}

/* Records the unit's size if it differs from that of its warps' previous units. */
static inline void record_unit(PRIVATE struct sm *sm, u32 set, u32 members)
{
    if (!is_recorded(sm, WS_EVENT_gang))
        return;
    for (u32 left = members; left != 0; left &= left - 1)
        record_warp(sm, WS_EVENT_gang, set + ws_ctz(left), 0, ws_popcount(members));
}

/* Removes some warps of a set from their gangs. The remainder does not become a unit here. */
static inline void leave_gangs(PRIVATE struct sm *sm, u32 set, u32 members)
{
    const slot_set slots = slots_of_set(sm, set, members);
    for (u32 n = 0; n < GANGS_OF_SET; ++n)
        sm->gangs[n] = slots_minus(sm->gangs[n], slots);
    sm->ganged = slots_minus(sm->ganged, slots);
}

/* Some warps of a set become a unit. The caller must make units of the remaining members of gangs that they leave. */
static inline void unit_forms(PRIVATE struct sm *sm, u32 set, u32 members)
{
    const slot_set slots = slots_of_set(sm, set, members);
    leave_gangs(sm, set, members);
    if ((members & (members - 1)) == 0)
        return;
    u32 placed = 0;
    for (u32 n = 0; n < GANGS_OF_SET; ++n) {
        const u32 takes = !placed && slices_of_set(sm, sm->gangs[n], set) == 0;
        sm->gangs[n] = takes ? slots_or(sm->gangs[n], slots) : sm->gangs[n];
        placed |= takes;
    }
    sm->ganged = slots_or(sm->ganged, slots);
}

/* The unit's warps that have not ended stay together where they share a pc; before: its number of members. Returns whether the unit
 * splits. */
static inline u32 unit_splits(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 set, u32 members, u32 before)
{
    const u32 first = set - set % WS_LANES;
    PER_LANE(u32, alike);
    u32 splits = 0;
    if (before == 1)
        return 0;
    while (members != 0) {
        const u32 pc = slots_pick(&sm->lanes, lanes->pc, set + ws_ctz(members));
        FOR_LANES (lane)
            alike[OF(lane)] = lanes->pc[AT(first + lane)] == pc;
        const u32 same = lanes_ballot(&sm->lanes, alike) >> set % WS_LANES & members;
        if (ws_popcount(same) != before) {
            unit_forms(sm, set, same);
            record_unit(sm, set, same);
        }
        members &= ~same;
        ++splits;
    }
    return splits > 1;
}

#endif
