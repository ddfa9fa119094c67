#include "report/limits.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static bool go_on(void *context)
{
    const struct ws_sweep_watch *const watch = context;
    return !watch->progress || watch->progress(watch->context, &(struct ws_sweep_progress){0});
}

/* What all studies of a figure have in common. */
struct studies {
    const struct ws_reproduce_options *options;
    const struct ws_experiment *experiment;
    struct ws_engine *engine;
};

static enum ws_status study(const struct studies *studies, size_t n, struct ws_limit *limit, struct ws_error *error)
{
    struct ws_sweep_watch watch = studies->options->watch;
    struct ws_frontend_options frontend;
    struct ws_limit_options options;
    struct ws_trace *trace;
    char *path;
    ws_frontend_defaults(&frontend);
    if (studies->options->lockstep)
        frontend.lockstep = studies->options->lockstep;
    ws_limit_defaults(&options);
    options.go_on = go_on;
    options.context = &watch;
    WS_TRY(
        ws_trace_locate(studies->experiment->traces[n], studies->options->size, studies->options->seed, &frontend, &path, error));
    enum ws_status status = ws_trace_open(path, &trace, error);
    free(path);
    WS_TRY(status);
    status = ws_limit_run(studies->engine, &studies->experiment->points[0].machine, trace, &options, limit, error);
    ws_trace_close(trace);
    return status;
}

static enum ws_status study_all(const struct studies *studies, struct ws_limits *limits, struct ws_error *trouble,
                                struct ws_error *error)
{
    for (size_t n = 0; n < limits->count; n++) {
        struct ws_error failure;
        const enum ws_status status = study(studies, n, &limits->limit[n], &failure);
        if (status == WS_STATUS_ok)
            continue;
        if (status == WS_STATUS_interrupted || status == WS_STATUS_no_memory)
            return ws_fail(error, status, "%s", failure.message);
        limits->limit[n] = (struct ws_limit){0};
        if (trouble->status == WS_STATUS_ok)
            ws_fail(trouble, WS_STATUS_failed, "the limit study of %s: %s", studies->experiment->traces[n], failure.message);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_limits_run(const struct ws_figure *figure, const struct ws_reproduce_options *options, struct ws_limits *limits,
                             struct ws_error *trouble, struct ws_error *error)
{
    struct ws_experiment *experiment;
    struct studies studies = {.options = options};
    *trouble = (struct ws_error){.status = WS_STATUS_ok};
    WS_TRY(ws_experiment_load(figure->experiment, &experiment, error));
    studies.experiment = experiment;
    *limits = (struct ws_limits){.count = experiment->trace_count, .limit = calloc(experiment->trace_count, sizeof *limits->limit)};
    enum ws_status status = limits->limit ? ws_engine_open(&options->engine, &studies.engine, error)
                                          : ws_fail(error, WS_STATUS_no_memory, "out of memory");
    if (status == WS_STATUS_ok) {
        status = study_all(&studies, limits, trouble, error);
        ws_engine_close(studies.engine);
    }
    ws_experiment_free(experiment);
    if (status != WS_STATUS_ok)
        ws_limits_free(limits);
    return status;
}

void ws_limits_free(struct ws_limits *limits)
{
    for (size_t n = 0; n < limits->count && limits->limit; n++)
        ws_limit_free(&limits->limit[n]);
    free(limits->limit);
    *limits = (struct ws_limits){0};
}

double ws_limits_speedup(const struct ws_limits *limits, size_t trace)
{
    if (trace >= limits->count || limits->limit[trace].oracle_cycles == 0)
        return (double)NAN;
    return (double)limits->limit[trace].pdom_cycles / (double)limits->limit[trace].oracle_cycles;
}
