/* Simulates proposed points as a sweep that makes the search's experiments grow, and evaluates them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "results/schema/schema.h"
#include "search/front.h"
#include "search/drive/state.h"

/* Statuses of jobs that may end well next time. */
#define TRANSIENT                                                                                                                  \
    "('no_file', 'no_memory', 'no_device', 'device', 'mismatch', 'failed', 'interrupted', 'internal', 'compiler', 'lost_device')"

/* Points being simulated, ascending. */
struct batch {
    const u32 *ordinals;
    u32 count;
};

/* ---- One fidelity ---- */

/* The experiment of a fidelity: NAME, or NAME (tiny), NAME (small with 2 shards) for a cheaper one. */
static char *experiment_name(const struct ws_search_state *search, u32 fidelity)
{
    struct ws_text text = {0};
    ws_text_add(&text, "%s", search->name);
    if (fidelity + 1 < search->fidelities)
        ws_text_add(&text, " (%s)", search->fidelity_name[fidelity]);
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

/* Fills the experiment with the batch's points of the fidelity, and the baseline, which is ordinal `fidelity`. */
static enum ws_status add_points(struct ws_search_state *search, const struct batch *batch, u32 fidelity, u32 *positions,
                                 struct ws_error *error)
{
    const struct ws_search_points *const points = &search->points;
    const size_t axes = search->space->axis_count;
    size_t count = 0;
    if (search->space->baseline) {
        positions[count++] = fidelity;
        WS_TRY(ws_space_add_point(search->space, search->space->baseline, error));
    }
    for (u32 k = 0; k < batch->count; k++) {
        const u32 n = batch->ordinals[k];
        if (points->fidelity[n] != fidelity || (search->space->baseline && n == fidelity))
            continue;
        positions[count++] = n;
        WS_TRY(ws_space_add_point(search->space, &points->choice[n * axes], error));
    }
    return WS_STATUS_ok;
}

/* A sweep's watch without what every generation would repeat: its traces, and that its jobs begin. */
static void note_new(void *context, const char *text)
{
    const struct ws_search_state *const search = context;
    const struct ws_sweep_watch *const watch = &search->options->watch;
    if (!search->noted || (strncmp(text, "trace ", strlen("trace ")) != 0 && !strstr(text, " jobs on ")))
        watch->note(watch->context, text);
}

static bool show_progress(void *context, const struct ws_sweep_progress *progress)
{
    const struct ws_search_state *const search = context;
    const struct ws_sweep_watch *const watch = &search->options->watch;
    return watch->progress(watch->context, progress);
}

static enum ws_status sweep(struct ws_search_state *search, u32 fidelity, const u32 *positions, struct ws_error *error)
{
    const struct ws_search_options *const options = search->options;
    struct ws_search_summary *const summary = search->summary;
    const struct ws_sweep_growth growth = {.results = search->results,
                                           .search = search->id,
                                           .fidelity = fidelity,
                                           .size = search->fidelity_name[fidelity],
                                           .positions = positions};
    const struct ws_sweep_options own = {WS_STRUCT(sweep_options),
                                         .results = options->results,
                                         .engine = options->engine,
                                         .size = search->fidelity[fidelity].size,
                                         .seed = options->seed,
                                         .lockstep = options->lockstep,
                                         .dry_run = options->dry_run,
                                         .growth = options->dry_run ? NULL : &growth,
                                         .watch = {.context = search,
                                                   .note = options->watch.note ? note_new : NULL,
                                                   .progress = options->watch.progress ? show_progress : NULL}};
    struct ws_sweep_summary swept = {0};
    const double began = ws_seconds_now();
    enum ws_status status = ws_sweep(search->space->experiment, &own, &swept, error);
    search->summary->choosing -= ws_seconds_now() - began;
    search->noted = search->noted || fidelity + 1 == search->fidelities;
    summary->jobs += swept.jobs;
    summary->ran += swept.ran;
    summary->reused += swept.reused;
    if (*swept.engine) {
        memcpy(summary->engine, swept.engine, sizeof summary->engine);
        memcpy(summary->device, swept.device, sizeof summary->device);
    }
    if (options->dry_run)
        summary->estimate = swept.estimate;
    return status == WS_STATUS_failed && swept.failed > 0 ? WS_STATUS_ok : status;
}

static enum ws_status run_fidelity(struct ws_search_state *search, const struct batch *batch, u32 fidelity, struct ws_error *error)
{
    struct ws_experiment *const experiment = search->space->experiment;
    u32 *const positions = calloc(batch->count + 1, sizeof *positions);
    char *const own = experiment->name, *const name = experiment_name(search, fidelity);
    enum ws_status status = positions && name ? WS_STATUS_ok : ws_no_memory(error);
    WS_THEN(status, add_points(search, batch, fidelity, positions, error));
    if (status == WS_STATUS_ok) {
        experiment->name = name;
        experiment->sampled = search->fidelity[fidelity].shards;
        status = sweep(search, fidelity, positions, error);
        experiment->name = own;
        experiment->sampled = 0;
    }
    ws_space_clear(search->space);
    free(positions);
    free(name);
    return status;
}

static bool has_fidelity(const struct ws_search_state *search, const struct batch *batch, u32 fidelity)
{
    for (u32 n = 0; n < batch->count; n++)
        if (search->points.fidelity[batch->ordinals[n]] == fidelity)
            return true;
    return false;
}

/* ---- Failures ---- */

static enum ws_status take_failure(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_search_failure *const failure = context;
    (void)error;
    failure->found = true;
    snprintf(failure->point, sizeof failure->point, "%s", row->values[0]);
    snprintf(failure->reason, sizeof failure->reason, "%s: %s: %s", row->values[1], row->values[2],
             row->values[3] ? row->values[3] : "");
    return WS_STATUS_ok;
}

/* The first failed job, of points from ordinal first to last, whose status meets a condition. */
static enum ws_status find_failure(const struct ws_search_state *search, struct ws_results *results, u32 first, u32 last,
                                   const char *condition, struct ws_search_failure *failure, struct ws_error *error)
{
    struct ws_text sql = {0};
    failure->found = false;
    ws_text_add(&sql, "SELECT point, trace, status, reason");
    ws_schema_add_jobs(&sql, "experiment");
    ws_text_add(
        &sql,
        " WHERE point.point_id IN (SELECT point_id FROM search_point WHERE search_id = %lld AND ordinal BETWEEN %u AND %u) AND "
        "status <> 'ok' AND %s ORDER BY point.position, experiment_trace.position LIMIT 1",
        (long long)search->id, first, last, condition);
    const enum ws_status status =
        sql.failed ? ws_sql_no_memory(results, error) : ws_results_query(results, sql.data, NULL, take_failure, failure, error);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_search_find_failure(const struct ws_search_state *search, u32 ordinal, struct ws_search_failure *failure,
                                      struct ws_error *error)
{
    WS_TRY(find_failure(search, search->results, ordinal, ordinal, "1", failure, error));
    if (!failure->found)
        snprintf(failure->reason, sizeof failure->reason, "an objective or limit has no value");
    return WS_STATUS_ok;
}

static enum ws_status check_failures(struct ws_search_state *search, struct ws_results *results, const struct batch *batch,
                                     struct ws_error *error)
{
    struct ws_search_failure failure;
    WS_TRY(find_failure(search, results, batch->ordinals[0], batch->ordinals[batch->count - 1], "status IN " TRANSIENT, &failure,
                        error));
    if (failure.found)
        return ws_fail(error, WS_STATUS_failed, "%s: jobs failed for what may not recur; the same command tries them again: %s, %s",
                       search->name, failure.point, failure.reason);
    return WS_STATUS_ok;
}

/* A search without one good point in its first generation would only fail on. */
static enum ws_status check_first(struct ws_search_state *search, struct ws_results *results, const struct batch *batch,
                                  struct ws_error *error)
{
    struct ws_search_failure failure;
    bool good = false;
    for (u32 n = 0; n < batch->count; n++)
        good = good || !isinf(search->points.excess[batch->ordinals[n]]);
    if (good || search->points.generation[batch->ordinals[0]] > 0)
        return WS_STATUS_ok;
    WS_TRY(find_failure(search, results, batch->ordinals[0], batch->ordinals[batch->count - 1], "1", &failure, error));
    if (failure.found)
        return ws_fail(error, WS_STATUS_failed, "%s: %s failed: %s, %s", search->name,
                       search->space->baseline ? "the baseline" : "every point of the first generation", failure.point,
                       failure.reason);
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s: %s of every objective and limit (a division by zero, or the geometric mean of a 0)", search->name,
                   search->space->baseline ? "the baseline has no value" : "no point of the first generation has a value");
}

/* ---- Evaluation ---- */

static void take_answer(void *context, u32 ordinal, const double *objectives, double excess)
{
    struct ws_search_state *const search = context;
    const size_t count = search->space->objective_count;
    if (ordinal >= search->points.count)
        return;
    memcpy(&search->points.objective[ordinal * count], objectives, count * sizeof *objectives);
    search->points.excess[ordinal] = excess;
}

static enum ws_status know_baseline(struct ws_search_state *search, struct ws_results *results, u32 fidelity,
                                    struct ws_error *error)
{
    const struct ws_goal_points point = {search->id, fidelity, fidelity, fidelity};
    if (search->baseline[fidelity])
        return WS_STATUS_ok;
    search->baseline[fidelity] = calloc(search->goals.all.baselines + 1, sizeof **search->baseline);
    if (!search->baseline[fidelity])
        return ws_no_memory(error);
    return ws_goals_baseline(&search->goals, search->space, results, &point, search->baseline[fidelity], error);
}

static enum ws_status evaluate(struct ws_search_state *search, struct ws_results *results, const struct batch *batch,
                               struct ws_error *error)
{
    for (u32 fidelity = 0; fidelity < search->fidelities; fidelity++) {
        const struct ws_goal_points points = {search->id, fidelity, batch->ordinals[0], batch->ordinals[batch->count - 1]};
        if (!has_fidelity(search, batch, fidelity))
            continue;
        WS_TRY(know_baseline(search, results, fidelity, error));
        WS_TRY(ws_goals_evaluate(&search->goals, search->space, results, &points, search->baseline[fidelity], take_answer, search,
                                 error));
    }
    return WS_STATUS_ok;
}

/* ---- The front ---- */

/* Candidates for the front: its members and the new points within the limits at the full size; objectives to be minimized. */
static u32 gather(const struct ws_search_state *search, const struct batch *batch, u32 *ordinals, double *minimized)
{
    const struct ws_search_points *const points = &search->points;
    const u32 objectives = search->space->objective_count;
    u32 count = 0;
    for (u32 n = 0; n < search->front_count; n++)
        ordinals[count++] = search->front[n];
    for (u32 k = 0; k < batch->count; k++) {
        const u32 n = batch->ordinals[k];
        if (points->fidelity[n] + 1 == search->fidelities && points->excess[n] == 0)
            ordinals[count++] = n;
    }
    for (u32 n = 0; n < count; n++)
        for (u32 k = 0; k < objectives; k++) {
            const double value = points->objective[(size_t)ordinals[n] * objectives + k];
            minimized[(size_t)n * objectives + k] = search->space->objectives[k].maximize ? -value : value;
        }
    return count;
}

static enum ws_status renew_front(struct ws_search_state *search, const struct batch *batch, struct ws_error *error)
{
    const size_t room = search->front_count + batch->count + 1, objectives = search->space->objective_count;
    u32 *const ordinals = calloc(room, sizeof *ordinals), *const member = calloc(room, sizeof *member);
    double *const minimized = calloc(room * objectives, sizeof *minimized);
    u32 members = 0, knee = UINT32_MAX;
    enum ws_status status = ordinals && member && minimized ? WS_STATUS_ok : ws_no_memory(error);
    if (status == WS_STATUS_ok) {
        const struct ws_front_points points = {
            .objective = minimized, .count = gather(search, batch, ordinals, minimized), .objectives = (u32)objectives};
        status = ws_front_pareto(&points, member, &members, error);
        WS_THEN(status, ws_front_knee(&points, member, members, &knee, error));
    }
    u32 *const front = status == WS_STATUS_ok ? realloc(search->front, (members + 1) * sizeof *front) : NULL;
    if (front) {
        search->front = front;
        search->front_count = members;
        search->knee = knee == UINT32_MAX ? knee : ordinals[knee];
        for (u32 n = 0; n < members; n++)
            front[n] = ordinals[member[n]];
    } else if (status == WS_STATUS_ok) {
        status = ws_no_memory(error);
    }
    free(ordinals);
    free(member);
    free(minimized);
    return status;
}

static enum ws_status take_answers(struct ws_search_state *search, struct ws_results *results, const struct batch *batch,
                                   struct ws_error *error)
{
    WS_TRY(check_failures(search, results, batch, error));
    WS_TRY(evaluate(search, results, batch, error));
    WS_TRY(check_first(search, results, batch, error));
    WS_TRY(renew_front(search, batch, error));
    return ws_search_put_answers(search, batch->ordinals, batch->count, error);
}

/* The proposed points below end. */
static enum ws_status find_waiting(const struct ws_search_state *search, u32 end, u32 **ordinals, u32 *count,
                                   struct ws_error *error)
{
    *ordinals = calloc((size_t)end + 1, sizeof **ordinals);
    *count = 0;
    for (u32 n = 0; *ordinals && n < end; n++)
        if (!search->points.done[n])
            (*ordinals)[(*count)++] = n;
    return *ordinals ? WS_STATUS_ok : ws_no_memory(error);
}

enum ws_status ws_search_estimate(struct ws_search_state *search, struct ws_error *error)
{
    u32 *ordinals, count, fidelity = search->fidelities - 1;
    WS_TRY(find_waiting(search, search->points.count, &ordinals, &count, error));
    const struct batch batch = {ordinals, count};
    while (fidelity > 0 && !has_fidelity(search, &batch, fidelity))
        fidelity--;
    search->summary->next = count;
    const enum ws_status status = count > 0 ? run_fidelity(search, &batch, fidelity, error) : WS_STATUS_ok;
    free(ordinals);
    return status;
}

enum ws_status ws_search_simulate_waiting(struct ws_search_state *search, u32 end, struct ws_error *error)
{
    u32 *ordinals, count;
    WS_TRY(find_waiting(search, end, &ordinals, &count, error));
    const enum ws_status status = count > 0 ? ws_search_simulate(search, ordinals, count, error) : WS_STATUS_ok;
    free(ordinals);
    return status;
}

static void note(const struct ws_search_state *search, const struct batch *batch)
{
    const struct ws_sweep_watch *const watch = &search->options->watch;
    char text[200];
    if (!watch->note)
        return;
    snprintf(text, sizeof text, "%s: generation %u: %u points; front of %u", search->name,
             search->points.generation[batch->ordinals[0]], batch->count, search->front_count);
    watch->note(watch->context, text);
}

enum ws_status ws_search_simulate(struct ws_search_state *search, const u32 *ordinals, u32 count, struct ws_error *error)
{
    const struct batch batch = {ordinals, count};
    double began = ws_seconds_now();
    enum ws_status status = WS_STATUS_ok;
    for (u32 fidelity = 0; fidelity < search->fidelities && status == WS_STATUS_ok; fidelity++)
        if (has_fidelity(search, &batch, fidelity))
            status = run_fidelity(search, &batch, fidelity, error);
    search->summary->choosing += ws_seconds_now() - began; /* less the sweeps; the answers record it */
    began = ws_seconds_now();
    WS_THEN(status, take_answers(search, search->results, &batch, error));
    search->summary->choosing += ws_seconds_now() - began;
    WS_TRY(status);
    for (u32 n = 0; n < count; n++) {
        search->points.answered += !search->points.done[ordinals[n]];
        search->points.done[ordinals[n]] = true;
    }
    note(search, &batch);
    return WS_STATUS_ok;
}
