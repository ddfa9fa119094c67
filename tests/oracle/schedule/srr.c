/* Sticky round robin. */
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
    const u32 pointer = *(const u32 *)sm->policy;
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (pointer + i) % sm->machine->core_warps;
        if (ready[slot])
            return slot;
    }
    return NO_WARP;
}

static void rotate(struct sm *sm)
{
    u32 *pointer = sm->policy;
    for (u32 i = 0; i < sm->machine->core_warps; i++) {
        const u32 slot = (*pointer + i) % sm->machine->core_warps;
        if (goes_on(sm, slot)) {
            *pointer = slot;
            return;
        }
    }
}

const struct oracle_policy oracle_policy_srr = {.start = start, .finish = finish, .choose = choose, .rotate = rotate};
