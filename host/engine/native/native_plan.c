/* State layout of a row's machines, and values read from it, compiled for each row of natives.def: WS_NATIVE_PLAN names the first
 * function, and begins the name of the second. */
#define WS_LANES_LOOP

#include "engine/native/native.h"
#include "sm.cl"
#include "state/gauges.h"
#include "state/plan.h"

#define JOINED(name, rest) name##rest
#define NAMED(name, rest)  JOINED(name, rest)

ws_native_plan WS_NATIVE_PLAN;
ws_native_gauges NAMED(WS_NATIVE_PLAN, _gauges);

void WS_NATIVE_PLAN(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    plan_state(machine, plan, requests);
}

void NAMED(WS_NATIVE_PLAN, _gauges)(const struct ws_job *job, const u32 *state, u32 *gauges)
{
    gauges_read(job, state, gauges);
}
