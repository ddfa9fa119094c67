/* `two_level`: fetch groups in rotating order, round robin inside (docs/model.md 7; Narasiman 3.2, 3.3). */
#ifndef WS_SCHEDULE_TWO_LEVEL_H
#define WS_SCHEDULE_TWO_LEVEL_H

#include "schedule/round_robin.h"

/* Mask of the slots of a fetch group. */
static inline u32 group_slots(PRIVATE const struct sm *sm, u32 group)
{
    const u32 size = sm->machine->schedule_fetch_group;
    return ws_bits_below(ws_min((group + 1) * size, sm->machine->core_warps)) & ~ws_bits_below(group * size);
}

static inline u32 group_after(PRIVATE const struct sm *sm, u32 group)
{
    return group + 1 == sm->plan->fetch_groups ? 0 : group + 1;
}

static inline u32 two_level_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    u32 group = sm->top_group;
    while ((selectable & group_slots(sm, group)) == 0)
        group = group_after(sm, group);
    return round_robin(sm, lanes, selectable & group_slots(sm, group), group);
}

static inline void two_level_chosen(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    round_robin_past(sm, lanes, warp / sm->machine->schedule_fetch_group, warp);
}

/* Makes the next group top when the top group is stalled and another is not, or when its time is over. */
static inline void two_level_rotate(PRIVATE struct sm *sm, u32 awaiting)
{
    const u32 top = group_slots(sm, sm->top_group);
    const u32 going = sm->live & ~awaiting;
    const u32 timeout = sm->machine->schedule_timeout;
    const u32 late = timeout > 0 && sm->plan->fetch_groups > 1 && sm->top_count > timeout;
    const u32 stalled = (going & top) == 0 && (going & ~top) != 0;
    if (!stalled && !late)
        return;
    sm->top_group = group_after(sm, sm->top_group);
    sm->top_count = 0;
    sm->changed = 1;
    count(sm, WS_COUNT_group_switches, 1);
    count(sm, WS_COUNT_timeouts, stalled ? 0 : 1);
}

/* Counts what a warp issued towards the timeout; begins: the slot begins an instruction. */
static inline void two_level_issued(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 begins)
{
    if (group_slots(sm, sm->top_group) >> warp & 1)
        sm->top_count += sm->machine->schedule_timeout_unit == WS_timeout_unit_thread ? threads : begins;
}

/* Groups that come before the chosen warp's have no selectable warp now. The top group must not be one that the next cycle rotates
 * away. */
static inline u32 two_level_round(PRIVATE const struct sm *sm, u32 warp, u32 awaiting, PRIVATE struct round *round)
{
    round->slots = group_slots(sm, warp / sm->machine->schedule_fetch_group);
    round->before = 0;
    for (u32 group = sm->top_group; !(group_slots(sm, group) >> warp & 1); group = group_after(sm, group))
        round->before |= group_slots(sm, group);
    round->by_count = sm->machine->schedule_round_robin == WS_round_robin_fewest;
    round->most = WS_LANES;
    return sm->machine->schedule_timeout == 0 && (sm->live & ~awaiting & group_slots(sm, sm->top_group)) != 0;
}

#endif
