/* Round robin over all slots. */
#include <stdlib.h>

#include "oracle/schedule/round_robin.h"

static void start(struct sm *sm)
{
    sm->policy = oracle_allocate(1, sizeof(u32)); /* the pointer */
}

static void finish(struct sm *sm)
{
    free(sm->policy);
}

static u32 choose(const struct sm *sm, const bool *ready)
{
    return round_robin_choose(sm, ready, 0, sm->machine->core_warps, *(const u32 *)sm->policy);
}

static void chosen(struct sm *sm, u32 slot)
{
    *(u32 *)sm->policy = round_robin_next(slot, 0, sm->machine->core_warps);
}

const struct oracle_policy oracle_policy_rr = {.start = start, .finish = finish, .choose = choose, .chosen = chosen};
