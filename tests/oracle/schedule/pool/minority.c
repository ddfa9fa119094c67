/* The least common pc (DMin). */
#include "oracle/schedule/pool/frequent.h"
#include "oracle/schedule/pool/stateless.h"

static struct forming *pick(const struct sm *sm)
{
    return forming_oldest(sm, frequent_pc(sm, false));
}

const struct oracle_policy oracle_policy_minority = {.start = policy_start_nothing, .finish = policy_finish_nothing, .pick = pick};
