/* Compiled once for each row of fibers.def: WS_FIBER_NAME is the function's name. */
#define WS_FIBER

/* A lane's own copy is the only one in this form, so that the lane's number often is not looked at; and gcc does not see that all
 * lanes take the same way. */
#pragma GCC diagnostic ignored "-Wunused-variable"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "differential/fiber.h"
#include "engine/native/native.h"
#include "sm.cl"

ws_native_slice WS_FIBER_NAME;

struct fiber_work {
    struct sm_local local;
    const struct ws_job *job;
    struct sm_parts parts;
    u32 slice;
};

static void advance_lane(void *context)
{
    struct fiber_work *work = context;
    run_slice(&work->local, work->job, &work->parts, work->slice);
}

void WS_FIBER_NAME(const struct ws_job *job, const struct ws_native_parts *parts, u32 slice)
{
    static struct fiber_work work;
    work.job = job;
    work.parts = (struct sm_parts){parts->program, parts->groups, parts->words, parts->state, parts->records};
    work.slice = slice;
    fibers_run(advance_lane, &work);
}
