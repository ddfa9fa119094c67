#include "frontend/exec/plan.h"
#include "warpsweep/frontend.h"

/* Opens the writer for the launch as it is laid out before it runs. */
static enum ws_status open_writer(const struct ws_program *program, const struct ws_frontend_options *options,
                                  const struct ws_ndrange *launch, const char *path, struct ws_trace_writer **writer,
                                  struct ws_error *error)
{
    struct ws_plan plan;
    enum ws_status status = ws_plan_make(program, launch, &plan, error);
    if (status == WS_STATUS_ok) {
        const struct ws_launch description = ws_plan_describe(&plan, options);
        status = ws_trace_writer_open(path, &description, writer, error);
    }
    ws_plan_free(&plan);
    return status;
}

enum ws_status ws_trace_build(const struct ws_program *program, const struct ws_frontend_options *options,
                              struct ws_ndrange *launch, const char *path, u64 *thread_instructions, struct ws_error *error)
{
    struct ws_trace_writer *writer = NULL;
    enum ws_status status = open_writer(program, options, launch, path, &writer, error);
    if (status != WS_STATUS_ok)
        return status;
    status = ws_execute(program, options, launch, writer, thread_instructions, error);
    if (status == WS_STATUS_ok)
        return ws_trace_writer_close(writer, error);
    ws_trace_writer_drop(writer);
    return status;
}
