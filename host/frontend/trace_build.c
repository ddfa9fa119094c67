#include "base/error.h"
#include "frontend/exec/launch/plan.h"
#include "warpsweep/frontend.h"

/* Opens the writer before the launch runs. */
static enum ws_status open_writer(const struct ws_program *program, const struct ws_frontend_options *options,
                                  const struct ws_ndrange *launch, const char *path, struct ws_trace_writer **writer,
                                  struct ws_error *error)
{
    struct ws_plan plan;
    enum ws_status status = ws_plan_make(program, launch, &plan, error);
    if (status == WS_STATUS_ok) {
        const struct ws_launch description = ws_plan_describe(&plan, options);
        status = ws_trace_writer_open(path, &description, writer, error);
        if (status == WS_STATUS_ok)
            ws_trace_writer_watch(*writer, options->go_on, options->context);
    }
    ws_plan_free(&plan);
    return status;
}

/* Closes a complete trace; removes any other. */
static enum ws_status end(struct ws_trace_writer *writer, enum ws_status status, const char *path, struct ws_error *error)
{
    if (status == WS_STATUS_ok)
        return ws_trace_writer_close(writer, error);
    ws_trace_writer_drop(writer);
    return status == WS_STATUS_interrupted ? ws_fail(error, status, "%s: interrupted, nothing is written", path) : status;
}

enum ws_status ws_trace_build(const struct ws_program *program, const struct ws_frontend_options *options,
                              struct ws_ndrange *launch, const char *path, u64 *thread_instructions, struct ws_error *error)
{
    struct ws_trace_writer *writer = NULL;
    WS_TRY(open_writer(program, options, launch, path, &writer, error));
    return end(writer, ws_execute(program, options, launch, writer, thread_instructions, error), path, error);
}

/* ---- Workloads ---- */

/* A workload ready to run. */
struct prepared {
    const struct ws_workload *workload;
    enum ws_size size;
    u64 seed;
    struct ws_program *program;
    struct ws_ndrange launch;
};

static enum ws_status trace_prepared(struct prepared *work, const struct ws_frontend_options *options, const char *path,
                                     u64 *thread_instructions, struct ws_error *error)
{
    struct ws_trace_writer *writer = NULL;
    WS_TRY(open_writer(work->program, options, &work->launch, path, &writer, error));
    enum ws_status status = ws_execute(work->program, options, &work->launch, writer, thread_instructions, error);
    WS_THEN(status, work->workload->check(&work->launch, work->size, work->seed, error));
    return end(writer, status, path, error);
}

enum ws_status ws_workload_trace(const struct ws_workload *workload, enum ws_size size, u64 seed,
                                 const struct ws_frontend_options *options, const char *path, u64 *thread_instructions,
                                 struct ws_error *error)
{
    struct prepared work = {.workload = workload, .size = size, .seed = seed};
    WS_TRY(ws_program_load(workload->name, workload->ptx, workload->ptx_length, options, &work.program, error));
    enum ws_status status = workload->prepare(size, seed, &work.launch, error);
    if (status == WS_STATUS_ok) {
        status = trace_prepared(&work, options, path, thread_instructions, error);
        workload->release(&work.launch);
    }
    ws_program_free(work.program);
    return status;
}
