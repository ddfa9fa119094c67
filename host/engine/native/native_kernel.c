/* Compiled once for each row of natives.def and instruction set: WS_NATIVE_NAME and WS_NATIVE_PLAN are the names of its functions.
 * The scheduler is the machine's. */
#define WS_LANES_LOOP

#include "engine/native/native.h"
#include "sm.cl"
#include "state/plan.h"

ws_native_slice WS_NATIVE_NAME;
ws_native_plan WS_NATIVE_PLAN;

void WS_NATIVE_NAME(const struct ws_job *job, const struct ws_native_parts *parts, u32 slice)
{
    struct sm_local local;
    const struct sm_parts kernel_parts = {parts->program, parts->groups, parts->words, parts->state, parts->records};
    run_slice(&local, job, &kernel_parts, slice);
}

void WS_NATIVE_PLAN(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    plan_state(machine, plan, requests);
}
