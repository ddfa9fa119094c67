/* Compiled once for each divergence unit and instruction set: WS_NATIVE_NAME is the function's name. The scheduler is the
 * machine's. */
#define WS_LANES_LOOP
#define WS_PIPELINE 0
#define WS_DISPATCH 0

#include "engine/native/native.h"
#include "sm.cl"

void WS_NATIVE_NAME(const struct ws_job *job, const struct ws_native_parts *parts, u32 slice)
{
    struct sm_local local;
    const struct sm_parts kernel_parts = {parts->program, parts->groups, parts->words, parts->state, parts->times, parts->timeline};
    run_slice(&local, job, &kernel_parts, slice);
}
