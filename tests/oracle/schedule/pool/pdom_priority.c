/* Fewest reconvergence points passed first (DPdPri). */
#include "oracle/schedule/pool/smallest.h"
#include "oracle/schedule/pool/stateless.h"

static u32 value(const struct sm *sm, const struct forming *forming)
{
    const bool least = sm->machine->dwf_passed == WS_dwf_passed_least;
    bool any = false;
    u32 passed = 0;
    for (u32 place = 0; place < WS_LANES; place++) {
        const struct thread *thread = forming->thread[place];
        if (!thread || (any && (least ? thread->passed >= passed : thread->passed <= passed)))
            continue;
        any = true;
        passed = thread->passed;
    }
    return passed;
}

static struct forming *pick(const struct sm *sm)
{
    return smallest_forming(sm, value);
}

const struct oracle_policy oracle_policy_pdom_priority = {
    .start = policy_start_nothing, .finish = policy_finish_nothing, .pick = pick};
