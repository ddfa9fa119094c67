/* Compiled once for each row of fibers.def: WS_FIBER_NAME is the function's name. */
#define WS_FIBER

/* In this form each lane has only its own copy, so the lane's number is often unused; and gcc does not know that all lanes branch
 * alike. */
#pragma GCC diagnostic ignored "-Wunused-variable"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "differential/fiber.h"
#include "engine/native/native.h"
#include "sm.cl"

ws_native_quantum WS_FIBER_NAME;

struct fiber_work {
    struct sm_local local;
    const struct ws_job *job;
    struct sm_buffers buffers;
    u32 quantum;
};

static void advance_lane(void *context)
{
    struct fiber_work *work = context;
    run_quantum(&work->local, work->job, &work->buffers, work->quantum);
}

void WS_FIBER_NAME(const struct ws_job *job, const struct ws_native_parts *buffers, u32 quantum)
{
    static struct fiber_work work;
    work.job = job;
    work.buffers = (struct sm_buffers){buffers->program, buffers->groups, buffers->words, buffers->state, buffers->records};
    work.quantum = quantum;
    fibers_run(advance_lane, &work);
}
