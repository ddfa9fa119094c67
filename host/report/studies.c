#include "report/studies.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool go_on(void *context)
{
    const struct ws_sweep_watch *const watch = context;
    return !watch->progress || watch->progress(watch->context, &(struct ws_sweep_progress){0});
}

static const struct ws_machine *machine_of(const struct ws_figure *figure, const struct ws_experiment *experiment)
{
    size_t point = 0;
    while (point < experiment->point_count && strcmp(experiment->points[point].label, figure->point) != 0)
        point++;
    return &experiment->points[point < experiment->point_count ? point : 0].machine;
}

static enum ws_status study_one(struct ws_study *study, const char *name, const struct ws_reproduce_options *options,
                                const struct ws_study_kind *kind, struct ws_error *error)
{
    struct ws_frontend_options frontend;
    char *path;
    ws_frontend_defaults(&frontend);
    if (options->lockstep)
        frontend.lockstep = options->lockstep;
    WS_TRY(ws_trace_locate(name, options->size, options->seed, &frontend, &path, error));
    enum ws_status status = ws_trace_open(path, &study->trace, error);
    free(path);
    WS_TRY(status);
    status = kind->run(study, error);
    ws_trace_close(study->trace);
    if (status != WS_STATUS_ok)
        memset(study->result, 0, kind->size);
    return status;
}

static enum ws_status study_all(struct ws_study *study, const struct ws_experiment *experiment,
                                const struct ws_reproduce_options *options, const struct ws_study_kind *kind, char *results,
                                struct ws_error *trouble, struct ws_error *error)
{
    for (size_t n = 0; n < experiment->trace_count; n++) {
        struct ws_error failure;
        study->result = results + n * kind->size;
        const enum ws_status status = study_one(study, experiment->traces[n], options, kind, &failure);
        if (status == WS_STATUS_interrupted || status == WS_STATUS_no_memory)
            return ws_fail(error, status, "%s", failure.message);
        if (status != WS_STATUS_ok && trouble->status == WS_STATUS_ok)
            ws_fail(trouble, WS_STATUS_failed, "the %s study of %s: %s", kind->name, experiment->traces[n], failure.message);
    }
    return WS_STATUS_ok;
}

static enum ws_status study(struct ws_study *study, const struct ws_experiment *experiment,
                            const struct ws_reproduce_options *options, const struct ws_study_kind *kind, char *results,
                            struct ws_error *trouble, struct ws_error *error)
{
    if (!results)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    WS_TRY(ws_engine_open(&options->engine, &study->engine, error));
    const enum ws_status status = study_all(study, experiment, options, kind, results, trouble, error);
    ws_engine_close(study->engine);
    return status;
}

enum ws_status ws_studies_run(const struct ws_figure *figure, const struct ws_reproduce_options *options,
                              const struct ws_study_kind *kind, void **results, size_t *count, struct ws_error *trouble,
                              struct ws_error *error)
{
    struct ws_sweep_watch watch = options->watch;
    struct ws_experiment *experiment;
    *trouble = (struct ws_error){.status = WS_STATUS_ok};
    *results = NULL;
    *count = 0;
    WS_TRY(ws_experiment_load(figure->experiment, &experiment, error));
    struct ws_study each = {
        .machine = machine_of(figure, experiment), .shards = experiment->shards, .go_on = go_on, .watch = &watch};
    *results = calloc(experiment->trace_count, kind->size);
    *count = *results ? experiment->trace_count : 0;
    const enum ws_status status = study(&each, experiment, options, kind, *results, trouble, error);
    ws_experiment_free(experiment);
    return status;
}
