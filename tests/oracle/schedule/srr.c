/* Sticky round robin. */
#include <stdlib.h>

#include "oracle/schedule/round_robin.h"

static void start(struct sm *sm)
{
    sm->policy = oracle_allocate(ports(sm), sizeof(u32)); /* the pointer of each port */
}

static void finish(struct sm *sm)
{
    free(sm->policy);
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    return first_ready(sm, port, ready, ((const u32 *)sm->policy)[port]);
}

static void rotate(struct sm *sm, u32 port)
{
    u32 *const pointer = (u32 *)sm->policy + port;
    const u32 slots = port_slots(sm, port);
    u32 place = *pointer;
    for (u32 i = 0; i < slots; i++, place = round_robin_next(place, 0, slots))
        if (goes_on(sm, port_slot(sm, port, place))) {
            *pointer = place;
            return;
        }
}

const struct oracle_policy oracle_policy_srr = {.start = start, .finish = finish, .choose = choose, .rotate = rotate};
