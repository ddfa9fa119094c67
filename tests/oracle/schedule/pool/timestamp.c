/* The oldest (DTime). */
#include "oracle/path/dwf.h"
#include "oracle/schedule/pool/stateless.h"

static struct forming *pick(const struct sm *sm)
{
    return forming_oldest(sm, ANY_PC);
}

const struct oracle_policy oracle_policy_timestamp = {.start = policy_start_nothing, .finish = policy_finish_nothing, .pick = pick};
