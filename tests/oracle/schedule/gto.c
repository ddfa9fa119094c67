/* Greedy, then oldest. */
#include <stdlib.h>

#include "oracle/sm.h"

static void start(struct sm *sm)
{
    u32 *const last = oracle_allocate(ports(sm), sizeof *last); /* slot that each port issued from last */
    for (u32 port = 0; port < ports(sm); port++)
        last[port] = port_slot(sm, port, 0);
    sm->policy = last;
}

static void finish(struct sm *sm)
{
    free(sm->policy);
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    const u32 last = ((const u32 *)sm->policy)[port];
    const u32 slots = port_slots(sm, port);
    u32 oldest = NO_WARP;
    if (last < sm->machine->core_warps && ready[last])
        return last;
    for (u32 n = 0; n < slots; n++) {
        const u32 slot = port_slot(sm, port, n);
        if (ready[slot] && (oldest == NO_WARP || warp_is_older(&sm->warps[slot], &sm->warps[oldest])))
            oldest = slot;
    }
    return oldest;
}

static void issued(struct sm *sm, const struct packet *packet)
{
    ((u32 *)sm->policy)[port_of(sm, packet->slot)] = packet->slot;
}

const struct oracle_policy oracle_policy_gto = {.start = start, .finish = finish, .choose = choose, .issued = issued};
