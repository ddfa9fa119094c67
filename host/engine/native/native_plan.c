/* State layout of a row's machines, compiled for each row of natives.def: WS_NATIVE_PLAN names the function. */
#define WS_LANES_LOOP

#include "engine/native/native.h"
#include "sm.cl"
#include "state/plan.h"

ws_native_plan WS_NATIVE_PLAN;

void WS_NATIVE_PLAN(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    plan_state(machine, plan, requests);
}
