#include "warpsweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/output.h"
#include "sweep/parts.h"

static enum ws_status check(const struct ws_experiment *experiment, const struct ws_sweep_options *options, struct ws_error *error)
{
    WS_TRY(WS_STRUCT_CHECK(sweep_options, options, error));
    if (options->engine.struct_size > 0)
        WS_TRY(WS_STRUCT_CHECK(engine_options, &options->engine, error));
    if (options->parts && options->part >= options->parts)
        return ws_fail(error, WS_STATUS_usage, "part %u/%u: parts count from 0, the last is %u", options->part, options->parts,
                       options->parts - 1);
    return ws_experiment_check(experiment, error);
}

static enum ws_status allocate(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    sweep->trace_count = experiment->trace_count * sweep->frontend_count;
    sweep->points = calloc(experiment->point_count, sizeof *sweep->points);
    sweep->traces = calloc(sweep->trace_count, sizeof *sweep->traces);
    sweep->trace_names = calloc(sweep->trace_count, sizeof *sweep->trace_names);
    sweep->files = calloc(sweep->trace_count, sizeof *sweep->files);
    sweep->damage = calloc(sweep->trace_count, sizeof *sweep->damage);
    sweep->trace_blocks = calloc(sweep->trace_count, sizeof *sweep->trace_blocks);
    sweep->trace_instructions = calloc(sweep->trace_count, sizeof *sweep->trace_instructions);
    sweep->duels = calloc(sweep->trace_count * experiment->point_count, sizeof *sweep->duels);
    if (!sweep->duels || !sweep->points || !sweep->traces || !sweep->trace_names || !sweep->files || !sweep->damage ||
        !sweep->trace_blocks || !sweep->trace_instructions)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", experiment->name);
    return WS_STATUS_ok;
}

/* Adds the settings with which the point's machine would hold a block of the trace. */
static void advise(const struct ws_sweep_state *sweep, const char *label, const char *trace, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    struct ws_image *image = NULL;
    size_t point = 0;
    while (point < experiment->point_count && strcmp(experiment->points[point].label, label) != 0)
        point++;
    if (point == experiment->point_count)
        return;
    const struct ws_machine *const machine = &experiment->points[point].machine;
    for (size_t n = sweep->point_frontend[point] * experiment->trace_count; n < sweep->trace_count; n++) {
        if (strcmp(sweep->trace_names[n], trace) != 0 || !sweep->files[n])
            continue;
        if (ws_image_load(sweep->files[n], 0, experiment->shards, ws_machine_spaces(machine), &image, NULL) == WS_STATUS_ok &&
            ws_job_check(&(struct ws_job_spec){.machine = machine, .image = image}, NULL) != WS_STATUS_ok)
            ws_machine_advise(machine, image, error);
        ws_image_free(image);
        return;
    }
}

/* Names the first failure in the order of the experiment. */
static enum ws_status name_failure(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    const struct ws_sweep_state *const sweep = context;
    ws_fail(error, WS_STATUS_failed, "%s: %zu of %zu jobs failed; the first: %s, %s, shard %s/%s: %s: %s", sweep->experiment->name,
            sweep->summary->failed, sweep->summary->jobs, row->values[0], row->values[1], row->values[2], row->values[3],
            row->values[4], row->values[5]);
    advise(sweep, row->values[0], row->values[1], error);
    return WS_STATUS_failed;
}

static enum ws_status report_failures(struct ws_sweep_state *sweep, struct ws_error *error)
{
    if (sweep->summary->failed == 0)
        return WS_STATUS_ok;
    const char *const names[] = {sweep->experiment->name, NULL};
    if (sweep->options->growth) /* its search says what failed */
        return ws_fail(error, WS_STATUS_failed, "%s: %zu of %zu jobs failed", sweep->experiment->name, sweep->summary->failed,
                       sweep->summary->jobs);
    WS_TRY(
        ws_results_query(sweep->results,
                         "SELECT point, trace, shard, shards, status, reason FROM result WHERE experiment = ?1 AND status <> 'ok' "
                         "ORDER BY trace_position, shard, point_position LIMIT 1",
                         names, name_failure, sweep, error));
    /* another process has replaced the experiment */
    return ws_fail(error, WS_STATUS_failed, "%s: %zu of %zu jobs failed", sweep->experiment->name, sweep->summary->failed,
                   sweep->summary->jobs);
}

/* Opens an existing results file before any work; creates none yet. */
static enum ws_status reach_results(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const char *const path = sweep->options->results;
    if (sweep->options->growth)
        sweep->results = sweep->options->growth->results;
    if (sweep->results)
        return WS_STATUS_ok;
    if (access(path, F_OK) == 0)
        return ws_results_open(path, WS_RESULTS_WRITE, &sweep->results, error);
    return ws_output_probe(path, WS_OUTPUT_results, error);
}

/* Lists the remaining jobs. An engine is opened only if there are some, and before a results file is created. */
static enum ws_status get_ready(struct ws_sweep_state *sweep, struct ws_error *error)
{
    WS_TRY(reach_results(sweep, error));
    WS_TRY(ws_sweep_open_traces(sweep, error));
    WS_TRY(ws_sweep_list_jobs(sweep, error));
    if (sweep->results)
        WS_TRY(ws_sweep_drop_done(sweep, error));
    if (sweep->job_count > 0)
        WS_TRY(ws_sweep_open_engine(sweep, error));
    if (sweep->results)
        return WS_STATUS_ok;
    WS_TRY(ws_results_open(sweep->options->results, WS_RESULTS_WRITE, &sweep->results, error));
    return ws_sweep_drop_done(sweep, error); /* another process may have created the file */
}

/* A failure before the experiment is recorded (a full disk) leaves no new file. */
static enum ws_status begin(struct ws_sweep_state *sweep, struct ws_error *error)
{
    enum ws_status status = get_ready(sweep, error);
    const struct ws_sweep_growth *const growth = sweep->options->growth;
    if (status == WS_STATUS_ok)
        status = growth ? ws_record_growth(sweep->results, sweep->experiment, sweep->points, sweep->traces, sweep->trace_count,
                                           growth, error)
                        : ws_record_experiment(sweep->results, sweep->experiment, sweep->points, sweep->traces, sweep->trace_count,
                                               &sweep->summary->run, error);
    if (status == WS_STATUS_ok && sweep->summary->run > 1)
        ws_sweep_note(sweep, "this is run %u of %s in %s; earlier runs stay (--run of export, report and compare)",
                      sweep->summary->run, sweep->experiment->name, sweep->options->results);
    if (status == WS_STATUS_ok || growth)
        return status;
    ws_results_abandon(sweep->results);
    sweep->results = NULL;
    return status;
}

static enum ws_status run(struct ws_sweep_state *sweep, struct ws_error *error)
{
    WS_TRY(begin(sweep, error));
    if (sweep->job_count > 0)
        WS_TRY(ws_sweep_run_all(sweep, error));
    return report_failures(sweep, error);
}

static enum ws_status count(struct ws_sweep_state *sweep, struct ws_error *error)
{
    if (access(sweep->options->results, F_OK) == 0)
        WS_TRY(ws_results_open(sweep->options->results, WS_RESULTS_READ, &sweep->results, error));
    WS_TRY(ws_sweep_find_traces(sweep, error));
    WS_TRY(ws_sweep_recall_traces(sweep, error));
    WS_TRY(ws_sweep_list_jobs(sweep, error));
    if (sweep->results)
        WS_TRY(ws_sweep_drop_done(sweep, error));
    return ws_sweep_estimate(sweep, error);
}

enum ws_status ws_sweep(const struct ws_experiment *experiment, const struct ws_sweep_options *options,
                        struct ws_sweep_summary *summary, struct ws_error *error)
{
    struct ws_sweep_options own = *options;
    struct ws_sweep_state sweep = {.experiment = experiment, .options = &own, .summary = summary};
    WS_TRY(check(experiment, options, error));
    own.engine.struct_size = sizeof own.engine;
    own.engine.times = experiment->times;
    *summary = (struct ws_sweep_summary){0};
    enum ws_status status = ws_sweep_find_frontends(&sweep, error);
    WS_THEN(status, allocate(&sweep, error));
    WS_THEN(status, ws_sweep_name_traces(&sweep, error));
    if (status == WS_STATUS_ok)
        status = options->dry_run ? count(&sweep, error) : run(&sweep, error);
    const enum ws_status closed =
        options->growth ? WS_STATUS_ok : ws_results_close(sweep.results, status == WS_STATUS_ok ? error : NULL);
    ws_runner_close(sweep.runner);
    ws_sweep_free_traces(&sweep);
    free(sweep.points);
    free(sweep.point_frontend);
    free(sweep.frontends);
    free(sweep.families);
    ws_sweep_free_dueling(&sweep);
    free(sweep.jobs);
    free(sweep.later);
    return status == WS_STATUS_ok ? closed : status;
}
