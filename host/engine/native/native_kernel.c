/* Compiled for a row of natives.def and an instruction set: WS_NATIVE_NAME names the function. The machine selects the
 * scheduler. */
#define WS_LANES_LOOP

#include "engine/native/native.h"
#include "sm.cl"

ws_native_quantum WS_NATIVE_NAME;

void WS_NATIVE_NAME(const struct ws_job *job, const struct ws_native_parts *parts, u32 quantum)
{
    struct sm_local local;
    const struct sm_buffers kernel_parts = {parts->program, parts->groups, parts->words, parts->state, parts->records};
    run_quantum(&local, job, &kernel_parts, quantum);
}
