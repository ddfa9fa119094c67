/* Round robin over all slots of a port. */
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
    return round_robin_choose(sm, port, ready, 0, port_slots(sm, port), ((const u32 *)sm->policy)[port]);
}

static void chosen(struct sm *sm, u32 slot)
{
    const u32 port = port_of(sm, slot);
    ((u32 *)sm->policy)[port] = round_robin_next(place_in_port(sm, slot), 0, port_slots(sm, port));
}

const struct oracle_policy oracle_policy_rr = {.start = start, .finish = finish, .choose = choose, .chosen = chosen};
