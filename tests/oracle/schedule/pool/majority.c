/* The most common pc until all its threads have issued, then another (DMaj). */
#include <stdlib.h>

#include "oracle/schedule/pool/frequent.h"

struct majority {
    bool keeps;
    u32 pc;
};

static void start(struct sm *sm)
{
    sm->policy = oracle_allocate(1, sizeof(struct majority));
}

static void finish(struct sm *sm)
{
    free(sm->policy);
}

static struct forming *pick(const struct sm *sm)
{
    const struct majority *own = sm->policy;
    if (own->keeps && forming_oldest(sm, own->pc))
        return forming_oldest(sm, own->pc);
    return forming_oldest(sm, frequent_pc(sm, true));
}

static void leaves(struct sm *sm, u32 pc, u32 threads)
{
    (void)threads;
    *(struct majority *)sm->policy = (struct majority){.keeps = true, .pc = pc};
}

const struct oracle_policy oracle_policy_majority = {.start = start, .finish = finish, .pick = pick, .leaves = leaves};
