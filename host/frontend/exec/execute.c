#include <fenv.h>
#include <stdio.h>

#include "base/error.h"
#include "frontend/exec/grid.h"
#include "warpsweep/frontend.h"

static void note_barriers(const struct ws_plan *plan, const struct ws_frontend_options *options)
{
    char text[300];
    if (!plan->barriers_pass || !options->note)
        return;
    snprintf(text, sizeof text,
             "kernel %.100s: in the trace its barriers for part of the block wait for nobody: their numbers are no constants",
             plan->kernel->name);
    options->note(options->context, text);
}

enum ws_status ws_execute(const struct ws_program *program, const struct ws_frontend_options *options, struct ws_ndrange *launch,
                          struct ws_trace_writer *writer, u64 *thread_instructions, struct ws_error *error)
{
    const int rounding = fegetround();
    u64 instructions = 0;
    launch->end = WS_END_refused;
    struct ws_plan plan;
    fesetround(FE_TONEAREST);
    enum ws_status status = ws_plan_make(program, launch, &plan, error);
    if (status == WS_STATUS_ok)
        note_barriers(&plan, options);
    WS_THEN(status, ws_grid_run(&plan, options, writer, &instructions, &launch->end, &launch->serial, error));
    WS_THEN(status, ws_plan_keep_variables(&plan, error));
    ws_plan_free(&plan);
    fesetround(rounding);
    if (thread_instructions)
        *thread_instructions = instructions;
    return status;
}
