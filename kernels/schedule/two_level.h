/* `two_level`: fetch groups in rotating order, round robin inside (docs/model/schedulers.md; Narasiman 3.2, 3.3). */
#ifndef WS_SCHEDULE_TWO_LEVEL_H
#define WS_SCHEDULE_TWO_LEVEL_H

#include "schedule/round_robin.h"

/* Slots of a fetch group of the port. */
static inline slot_set group_slots(PRIVATE const struct sm *sm, u32 group)
{
    const u32 size = MACHINE(sm, schedule_fetch_group) * ports(sm);
    const slot_set slots = slots_minus(slots_below(ws_min((group + 1) * size, MACHINE(sm, core_warps))), slots_below(group * size));
    return slots_and(slots, port_slots(sm));
}

static inline u32 group_after(PRIVATE const struct sm *sm, u32 group)
{
    return group + 1 == PLAN(sm, fetch_groups) ? 0 : group + 1;
}

static inline u32 two_level_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    u32 group = port_value(sm->top_group, AT_PORT(sm));
    while (!slots_any(slots_and(ready, group_slots(sm, group))))
        group = group_after(sm, group);
    const slot_set candidates = slots_and(ready, group_slots(sm, group));
    if (slots_alone(candidates))
        return slots_first(candidates);
    return slots_next(round_robin_left(sm, lanes, candidates),
                      slots_pick(&sm->lanes, lanes->pointer, group * ports(sm) + AT_PORT(sm)));
}

static inline void two_level_chosen(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 place = warp / ports(sm) / MACHINE(sm, schedule_fetch_group) * ports(sm) + AT_PORT(sm);
    if (slot_is(place))
        lanes->pointer[AT(place)] = slot_after(sm, warp);
}

/* Makes the next group top when the top group is stalled and another is not, or at the timeout. */
static inline void two_level_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
    const slot_set top = group_slots(sm, port_value(sm->top_group, AT_PORT(sm)));
    const slot_set going = slots_and(slots_minus(sm->live, awaiting), port_slots(sm));
    const u32 timeout = MACHINE(sm, schedule_timeout);
    const u32 late = timeout > 0 && PLAN(sm, fetch_groups) > 1 && port_value(sm->top_count, AT_PORT(sm)) > timeout;
    const u32 stalled = !slots_any(slots_and(going, top)) && slots_any(slots_minus(going, top));
    if (!stalled && !late)
        return;
    port_put(sm->top_group, AT_PORT(sm), group_after(sm, port_value(sm->top_group, AT_PORT(sm))));
    port_put(sm->top_count, AT_PORT(sm), 0);
    sm->changed |= CHANGED_STATE;
    count(sm, WS_COUNT_group_switches, 1);
    record_top(sm, port_value(sm->top_group, AT_PORT(sm)));
    count(sm, WS_COUNT_timeouts, stalled ? 0 : 1);
}

/* Counts what a warp issued towards the timeout. */
static inline void two_level_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    if (slots_has(group_slots(sm, port_value(sm->top_group, AT_PORT(sm))), issued->slot))
        port_put(sm->top_count, AT_PORT(sm),
                 port_value(sm->top_count, AT_PORT(sm)) +
                     (MACHINE(sm, schedule_timeout_unit) == WS_timeout_unit_thread ? issued->threads : issued->begins));
}

/* No warp of a group before the chosen warp's is selectable now. The top group must not be one that the next cycle rotates away. */
static inline u32 two_level_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
    round->slots = group_slots(sm, warp / MACHINE(sm, schedule_fetch_group));
    round->before = slots_none();
    for (u32 group = port_value(sm->top_group, AT_PORT(sm)); !slots_has(group_slots(sm, group), warp);
         group = group_after(sm, group))
        round->before = slots_or(round->before, group_slots(sm, group));
    round->by_count = MACHINE(sm, schedule_round_robin) == WS_round_robin_fewest;
    round->most = WS_SLOTS;
    return MACHINE(sm, schedule_timeout) == 0 &&
           slots_any(slots_and(slots_minus(sm->live, awaiting), group_slots(sm, port_value(sm->top_group, AT_PORT(sm)))));
}

#endif
