#include "figures/studies.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool go_on(void *context)
{
    const struct ws_sweep_watch *const watch = context;
    return !watch->progress || watch->progress(watch->context, &(struct ws_sweep_progress){0});
}

static const struct ws_machine *machine_of(const char *label, const struct ws_experiment *experiment)
{
    size_t point = 0;
    while (point < experiment->point_count && strcmp(experiment->points[point].label, label) != 0)
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
        return ws_no_memory(error);
    WS_TRY(ws_engine_open(&options->engine, &study->engine, error));
    const enum ws_status status = study_all(study, experiment, options, kind, results, trouble, error);
    ws_engine_close(study->engine);
    return status;
}

static enum ws_status run(const struct ws_paper_figure *figure, const struct ws_reproduce_options *options,
                          const struct ws_study_kind *kind, struct ws_text *csv, struct ws_error *trouble, struct ws_error *error)
{
    struct ws_sweep_watch watch = options->watch;
    struct ws_experiment *experiment;
    struct ws_text path = {0};
    enum ws_status status = ws_paper_experiment(figure, &path, error);
    if (status == WS_STATUS_ok)
        status = ws_experiment_load(path.data, &experiment, error);
    ws_text_free(&path);
    WS_TRY(status);
    const char *const point = ws_paper_value(figure, "point");
    struct ws_study each = {
        .machine = machine_of(point ? point : "", experiment), .shards = experiment->shards, .go_on = go_on, .watch = &watch};
    void *const results = calloc(experiment->trace_count + 1, kind->size);
    status = study(&each, experiment, options, kind, results, trouble, error);
    ws_text_add(csv, "%s\n", kind->columns);
    for (size_t n = 0; n < experiment->trace_count && status == WS_STATUS_ok; n++)
        kind->add(csv, n, (const char *)results + n * kind->size);
    for (size_t n = 0; results && n < experiment->trace_count; n++)
        kind->free((char *)results + n * kind->size);
    free(results);
    ws_experiment_free(experiment);
    return status == WS_STATUS_ok && csv->failed ? ws_no_memory(error) : status;
}

/* ---- Kinds ---- */

static const struct ws_study_kind *const kinds[] = {&ws_limit_study, &ws_gang_study};

enum ws_status ws_studies_add(const struct ws_paper_figure *figure, const struct ws_reproduce_options *options,
                              struct ws_results *results, struct ws_error *trouble, struct ws_error *error)
{
    static const char *const names[] = {"limit", "gang", NULL}; /* in the order of kinds */
    const struct ws_yaml *const node = ws_paper_get(figure, "study");
    struct ws_text csv = {0}, table = {0};
    size_t kind;
    *trouble = (struct ws_error){.status = WS_STATUS_ok};
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_choice(node, names, &kind, error));
    enum ws_status status = options ? run(figure, options, kinds[kind], &csv, trouble, error)
                                    : ws_yaml_fail(node, error, "the results file does not hold studies; reproduce runs them");
    ws_text_add(&table, "%s_study", names[kind]);
    if (status == WS_STATUS_ok)
        status = ws_results_table(results, table.failed ? "" : table.data, "the study", csv.data, error);
    ws_text_free(&csv);
    ws_text_free(&table);
    return status;
}
