/* Two-level scheduling: fetch groups in rotating order, round robin inside. */
#include <stdlib.h>

#include "oracle/schedule/round_robin.h"

struct two_level {
    u32 top;      /* group */
    u64 issued;   /* from warps of the top group since it became top */
    u32 *pointer; /* of each group */
};

static u32 groups(const struct sm *sm)
{
    return (sm->machine->core_warps + sm->machine->schedule_fetch_group - 1) / sm->machine->schedule_fetch_group;
}

static u32 group_of(const struct sm *sm, u32 slot)
{
    return slot / sm->machine->schedule_fetch_group;
}

static u32 first_slot(const struct sm *sm, u32 group)
{
    return group * sm->machine->schedule_fetch_group;
}

static u32 slots_of(const struct sm *sm, u32 group)
{
    const u32 rest = sm->machine->core_warps - first_slot(sm, group);
    return rest < sm->machine->schedule_fetch_group ? rest : sm->machine->schedule_fetch_group;
}

static void start(struct sm *sm)
{
    struct two_level *own = oracle_allocate(1, sizeof *own);
    own->pointer = oracle_allocate(groups(sm), sizeof *own->pointer);
    for (u32 group = 0; group < groups(sm); group++)
        own->pointer[group] = first_slot(sm, group);
    sm->policy = own;
}

static void finish(struct sm *sm)
{
    struct two_level *own = sm->policy;
    free(own->pointer);
    free(own);
}

static u32 choose(const struct sm *sm, const bool *ready)
{
    const struct two_level *own = sm->policy;
    for (u32 i = 0; i < groups(sm); i++) {
        const u32 group = (own->top + i) % groups(sm);
        const u32 slot = round_robin_choose(sm, ready, first_slot(sm, group), slots_of(sm, group), own->pointer[group]);
        if (slot != NO_WARP)
            return slot;
    }
    return NO_WARP;
}

static void chosen(struct sm *sm, u32 slot)
{
    struct two_level *own = sm->policy;
    const u32 group = group_of(sm, slot);
    own->pointer[group] = round_robin_next(slot, first_slot(sm, group), slots_of(sm, group));
}

static void begun(struct sm *sm, u32 slot)
{
    struct two_level *own = sm->policy;
    own->issued += sm->machine->schedule_timeout_unit == WS_timeout_unit_warp && group_of(sm, slot) == own->top;
}

static void issued(struct sm *sm, u32 slot, u32 threads)
{
    struct two_level *own = sm->policy;
    if (sm->machine->schedule_timeout_unit == WS_timeout_unit_thread && group_of(sm, slot) == own->top)
        own->issued += threads;
}

static bool stalled(const struct sm *sm, u32 group)
{
    for (u32 i = 0; i < slots_of(sm, group); i++)
        if (goes_on(sm, first_slot(sm, group) + i))
            return false;
    return true;
}

static void next_on_top(struct sm *sm)
{
    struct two_level *own = sm->policy;
    own->top = (own->top + 1) % groups(sm);
    own->issued = 0;
    count(sm, WS_COUNT_group_switches, 1);
}

static void rotate(struct sm *sm)
{
    const struct two_level *own = sm->policy;
    bool another_goes_on = false;
    for (u32 group = 0; group < groups(sm); group++)
        another_goes_on |= group != own->top && !stalled(sm, group);
    const u32 timeout = sm->machine->schedule_timeout;
    if (stalled(sm, own->top) && another_goes_on) {
        next_on_top(sm);
    } else if (timeout > 0 && groups(sm) > 1 && own->issued > timeout) {
        next_on_top(sm);
        count(sm, WS_COUNT_timeouts, 1);
    }
}

const struct oracle_policy oracle_policy_two_level = {
    .start = start, .finish = finish, .choose = choose, .chosen = chosen, .begun = begun, .issued = issued, .rotate = rotate};
