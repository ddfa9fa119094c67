/* Loose round robin. */
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

static void issued(struct sm *sm, const struct packet *packet)
{
    const u32 port = port_of(sm, packet->slot);
    ((u32 *)sm->policy)[port] = round_robin_next(place_in_port(sm, packet->slot), 0, port_slots(sm, port));
}

const struct oracle_policy oracle_policy_lrr = {.start = start, .finish = finish, .choose = choose, .issued = issued};
