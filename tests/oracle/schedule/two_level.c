/* Two-level scheduling: fetch groups in rotating order, round robin inside. */
#include <stdlib.h>

#include "oracle/schedule/round_robin.h"

struct two_level {
    u32 top;      /* group */
    u64 issued;   /* by warps of the top group since it became top */
    u32 *pointer; /* of each group: a place in the port */
};

static struct two_level *own_of(const struct sm *sm, u32 port)
{
    return (struct two_level *)sm->policy + port;
}

static u32 round_up(u32 number, u32 by)
{
    return (number + by - 1) / by;
}

/* Of each port. */
static u32 groups(const struct sm *sm)
{
    return round_up(round_up(sm->machine->core_warps, ports(sm)), sm->machine->schedule_fetch_group);
}

static u32 group_of(const struct sm *sm, u32 slot)
{
    return place_in_port(sm, slot) / sm->machine->schedule_fetch_group;
}

static u32 first_place(const struct sm *sm, u32 group)
{
    return group * sm->machine->schedule_fetch_group;
}

static u32 slots_of(const struct sm *sm, u32 port, u32 group)
{
    const u32 slots = port_slots(sm, port), first = first_place(sm, group), most = sm->machine->schedule_fetch_group;
    return first >= slots ? 0 : slots - first < most ? slots - first : most;
}

static void start(struct sm *sm)
{
    sm->policy = oracle_allocate(ports(sm), sizeof(struct two_level));
    for (u32 port = 0; port < ports(sm); port++) {
        struct two_level *const own = own_of(sm, port);
        own->pointer = oracle_allocate(groups(sm), sizeof *own->pointer);
        for (u32 group = 0; group < groups(sm); group++)
            own->pointer[group] = first_place(sm, group);
    }
}

static void finish(struct sm *sm)
{
    for (u32 port = 0; port < ports(sm); port++)
        free(own_of(sm, port)->pointer);
    free(sm->policy);
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    const struct two_level *const own = own_of(sm, port);
    for (u32 i = 0; i < groups(sm); i++) {
        const u32 group = (own->top + i) % groups(sm);
        const u32 slot =
            round_robin_choose(sm, port, ready, first_place(sm, group), slots_of(sm, port, group), own->pointer[group]);
        if (slot != NO_WARP)
            return slot;
    }
    return NO_WARP;
}

static void chosen(struct sm *sm, u32 slot)
{
    const u32 port = port_of(sm, slot), group = group_of(sm, slot);
    own_of(sm, port)->pointer[group] = round_robin_next(place_in_port(sm, slot), first_place(sm, group), slots_of(sm, port, group));
}

static bool counts(const struct sm *sm, u32 slot, u32 unit)
{
    return sm->machine->schedule_timeout_unit == unit && group_of(sm, slot) == own_of(sm, port_of(sm, slot))->top;
}

static void begun(struct sm *sm, u32 slot)
{
    if (counts(sm, slot, WS_timeout_unit_warp))
        own_of(sm, port_of(sm, slot))->issued++;
}

static void executed(struct sm *sm, u32 slot, u32 threads)
{
    if (counts(sm, slot, WS_timeout_unit_thread))
        own_of(sm, port_of(sm, slot))->issued += threads;
}

static bool stalled(const struct sm *sm, u32 port, u32 group)
{
    for (u32 i = 0; i < slots_of(sm, port, group); i++)
        if (goes_on(sm, port_slot(sm, port, first_place(sm, group) + i)))
            return false;
    return true;
}

static void next_on_top(struct sm *sm, u32 port)
{
    struct two_level *const own = own_of(sm, port);
    own->top = (own->top + 1) % groups(sm);
    own->issued = 0;
    count(sm, WS_COUNT_group_switches, 1);
}

static void rotate(struct sm *sm, u32 port)
{
    const struct two_level *const own = own_of(sm, port);
    bool another_goes_on = false;
    for (u32 group = 0; group < groups(sm); group++)
        another_goes_on |= group != own->top && !stalled(sm, port, group);
    const u32 timeout = sm->machine->schedule_timeout;
    if (stalled(sm, port, own->top) && another_goes_on) {
        next_on_top(sm, port);
    } else if (timeout > 0 && groups(sm) > 1 && own->issued > timeout) {
        next_on_top(sm, port);
        count(sm, WS_COUNT_timeouts, 1);
    }
}

const struct oracle_policy oracle_policy_two_level = {
    .start = start, .finish = finish, .choose = choose, .chosen = chosen, .begun = begun, .executed = executed, .rotate = rotate};
