#include <fenv.h>

#include "base/error.h"
#include "frontend/exec/run.h"
#include "warpsweep/frontend.h"

static enum ws_status execute_block(struct ws_run *run, u64 block, struct ws_trace_writer *writer, u64 *instructions,
                                    struct ws_error *error)
{
    struct ws_recorder *recorders = NULL;
    if (writer) {
        recorders = ws_recorders_begin(writer, block);
        if (!recorders)
            return ws_fail(error, WS_STATUS_internal, "kernel %s: block %llu cannot be recorded", run->plan->kernel->name,
                           (unsigned long long)block);
    }
    const enum ws_status status = ws_run_block(run, block, recorders, instructions, error);
    if (!writer || (status != WS_STATUS_ok && run->thread.stop != WS_STOP_recording))
        return status;
    const enum ws_status recorded = ws_recorders_end(writer, run->executed, error); /* says why it could not be recorded */
    return recorded != WS_STATUS_ok ? recorded : status;
}

static enum ws_status execute_plan(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_trace_writer *writer, u64 *instructions,
                                   struct ws_error *error)
{
    struct ws_run run = {0};
    enum ws_status status = ws_run_make(plan, options, &run, error);
    for (u64 block = 0; status == WS_STATUS_ok && block < plan->blocks; block++)
        status = execute_block(&run, block, writer, instructions, error);
    ws_run_free(&run);
    return status;
}

enum ws_status ws_execute(const struct ws_program *program, const struct ws_frontend_options *options, struct ws_ndrange *launch,
                          struct ws_trace_writer *writer, u64 *thread_instructions, struct ws_error *error)
{
    const int rounding = fegetround();
    u64 instructions = 0;
    struct ws_plan plan;
    fesetround(FE_TONEAREST);
    enum ws_status status = ws_plan_make(program, launch, &plan, error);
    if (status == WS_STATUS_ok)
        status = execute_plan(&plan, options, writer, &instructions, error);
    ws_plan_free(&plan);
    fesetround(rounding);
    if (thread_instructions)
        *thread_instructions = instructions;
    return status;
}
