/* The smallest pc (DPC). */
#include "oracle/schedule/pool/smallest.h"
#include "oracle/schedule/pool/stateless.h"

static u32 value(const struct sm *sm, const struct forming *forming)
{
    (void)sm;
    return forming->pc;
}

static struct forming *pick(const struct sm *sm)
{
    return smallest_forming(sm, value);
}

const struct oracle_policy oracle_policy_program_counter = {
    .start = policy_start_nothing, .finish = policy_finish_nothing, .pick = pick};
