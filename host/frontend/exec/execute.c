#include <fenv.h>

#include "frontend/exec/grid.h"
#include "warpsweep/frontend.h"

enum ws_status ws_execute(const struct ws_program *program, const struct ws_frontend_options *options, struct ws_ndrange *launch,
                          struct ws_trace_writer *writer, u64 *thread_instructions, struct ws_error *error)
{
    const int rounding = fegetround();
    u64 instructions = 0;
    struct ws_plan plan;
    fesetround(FE_TONEAREST);
    enum ws_status status = ws_plan_make(program, launch, &plan, error);
    if (status == WS_STATUS_ok)
        status = ws_grid_run(&plan, options, writer, &instructions, error);
    if (status == WS_STATUS_ok)
        status = ws_plan_keep_variables(&plan, error);
    ws_plan_free(&plan);
    fesetround(rounding);
    if (thread_instructions)
        *thread_instructions = instructions;
    return status;
}
