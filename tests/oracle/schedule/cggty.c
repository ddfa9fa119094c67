/* Greedy, then youngest. */
#include <stdlib.h>

#include "oracle/sm.h"

static void start(struct sm *sm)
{
    u32 *const last = oracle_allocate(ports(sm), sizeof *last); /* slot that each port issued from last */
    for (u32 port = 0; port < ports(sm); port++)
        last[port] = port_last_slot(sm, port);
    sm->policy = last;
}

static void finish(struct sm *sm)
{
    free(sm->policy);
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    const u32 last = ((const u32 *)sm->policy)[port];
    u32 youngest = NO_WARP;
    if (last != NO_WARP && ready[last])
        return last;
    for (u32 n = 0; n < port_slots(sm, port); n++) {
        const u32 slot = port_slot(sm, port, n);
        if (ready[slot] && (youngest == NO_WARP || warp_is_older(&sm->warps[youngest], &sm->warps[slot])))
            youngest = slot;
    }
    return youngest;
}

static void issued(struct sm *sm, const struct packet *packet)
{
    ((u32 *)sm->policy)[port_of(sm, packet->slot)] = packet->slot;
}

const struct oracle_policy oracle_policy_cggty = {.start = start, .finish = finish, .choose = choose, .issued = issued};
