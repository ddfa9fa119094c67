/* Runs jobs on one engine, and those it fails on on the next; leaders of SM dueling (docs/model/dispatch.md) before their
 * followers. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "warpsweep/engine.h"

struct ws_runner {
    struct ws_engine_options options;
    struct ws_engine *engine, *next; /* next: for jobs on which the first one fails; NULL until needed */
    struct ws_engine *running;
};

/* Jobs on one engine. */
struct attempt {
    struct ws_runner *runner;
    const struct ws_runner_watch *watch;
    const struct ws_job_spec *jobs;
    struct ws_job_result *results;
    const size_t *numbers; /* indices of the caller's jobs; NULL: all jobs */
    size_t count;
    bool last; /* there is no further engine */
};

bool ws_engine_failed(const struct ws_job_result *result)
{
    switch (result->status) {
    case WS_STATUS_device:
    case WS_STATUS_lost_device:
    case WS_STATUS_compiler:
    case WS_STATUS_mismatch:
    case WS_STATUS_no_memory:
        return true;
    default:
        return false;
    }
}

/* Native is the fallback of other engines, unless the options name an engine. */
static bool has_next(const struct ws_runner *runner)
{
    const char *const asked = runner->options.engine;
    return (!asked || strcmp(asked, "auto") == 0) && strcmp(ws_engine_name(runner->engine), "native") != 0;
}

enum ws_status ws_runner_open(const struct ws_engine_options *options, struct ws_runner **runner, struct ws_error *error)
{
    struct ws_engine *engine;
    *runner = NULL;
    WS_TRY(ws_engine_open(options, &engine, error));
    *runner = malloc(sizeof **runner);
    if (!*runner) {
        ws_engine_close(engine);
        return ws_fail(error, WS_STATUS_no_memory, "out of memory opening an engine");
    }
    **runner = (struct ws_runner){.options = *options, .engine = engine, .running = engine};
    return WS_STATUS_ok;
}

void ws_runner_close(struct ws_runner *runner)
{
    if (!runner)
        return;
    ws_engine_close(runner->engine);
    ws_engine_close(runner->next);
    free(runner);
}

const struct ws_engine *ws_runner_engine(const struct ws_runner *runner)
{
    return runner->running;
}

/* ---- Callbacks of an attempt ---- */

static size_t number_of(const struct attempt *attempt, size_t job)
{
    return attempt->numbers ? attempt->numbers[job] : job;
}

static bool progress(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    return !watch->progress || watch->progress(watch->context, done, jobs, warp_instructions);
}

static void finished(void *context, size_t job, const struct ws_job_result *result)
{
    const struct attempt *const attempt = context;
    const struct ws_engine_watch *const watch = &attempt->watch->engine;
    if (watch->finished && (attempt->last || !ws_engine_failed(result)))
        watch->finished(watch->context, number_of(attempt, job), result);
}

static bool wanted(void *context, size_t job)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    return !watch->wanted || watch->wanted(watch->context, number_of(context, job));
}

static void event(void *context, size_t job, const struct ws_timeline_event *happened)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    watch->event(watch->context, number_of(context, job), happened);
}

static void quantum(void *context, size_t job, u64 from, const u64 *counters)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    watch->quantum(watch->context, number_of(context, job), from, counters);
}

static void gauges(void *context, size_t job, const u32 *values)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    watch->gauges(watch->context, number_of(context, job), values);
}

static void compiles(void *context, const char *kernels)
{
    const struct ws_engine_watch *const watch = &((struct attempt *)context)->watch->engine;
    watch->compiles(watch->context, kernels);
}

/* ---- Leaders ---- */

static bool is_listed(const struct ws_job_spec *leaders, size_t count, const struct ws_dueling *dueling, u32 shard)
{
    while (count > 0 && !(leaders[count - 1].dueling == dueling && leaders[count - 1].shard == shard))
        count--;
    return count > 0;
}

/* Adds those leaders of a job that have not ended, for example because an earlier call or another part of a sweep contains them. A
 * leader without an image does not run, and its followers are refused. */
static size_t list(const struct attempt *attempt, size_t job, struct ws_job_spec *leaders, size_t count)
{
    const struct ws_job_spec *const spec = &attempt->jobs[job];
    const struct ws_runner_watch *const watch = attempt->watch;
    struct ws_error unused;
    for (u32 shard = 0; shard < WS_DUELING_LEADERS && spec->dueling && spec->shard >= WS_DUELING_LEADERS; shard++) {
        struct ws_job_spec leader = {.machine = spec->machine, .shard = shard, .dueling = spec->dueling};
        if (!ws_dueling_led(spec->dueling, shard) && !is_listed(leaders, count, spec->dueling, shard) &&
            watch->leader(watch->engine.context, number_of(attempt, job), shard, &leader.image, &unused) == WS_STATUS_ok)
            leaders[count++] = leader;
    }
    return count;
}

/* If the engine fails on a leader, it fails on all jobs. */
static void share_failure(const struct attempt *attempt, const struct ws_job_result *leader)
{
    for (size_t n = 0; n < attempt->count; n++) {
        attempt->results[n] = (struct ws_job_result){.status = leader->status, .reason = strdup(ws_job_reason(leader))};
        finished((void *)(uintptr_t)attempt, n, &attempt->results[n]);
    }
}

/* Runs the missing leaders. *led: the engine has not failed on them. */
static enum ws_status lead(struct attempt *attempt, bool *led, struct ws_error *error)
{
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = attempt, .progress = progress,
                                          .compiles = attempt->watch->engine.compiles ? compiles : NULL};
    struct ws_job_spec *const leaders = calloc(WS_DUELING_LEADERS * attempt->count, sizeof *leaders);
    size_t count = 0;
    *led = true;
    for (size_t n = 0; n < attempt->count && leaders; n++)
        count = list(attempt, n, leaders, count);
    struct ws_job_result *const results = calloc(count + 1, sizeof *results);
    enum ws_status status = WS_STATUS_ok;
    if (!leaders || !results)
        status = ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", attempt->count);
    else if (count > 0)
        status = ws_engine_run(attempt->runner->running, leaders, count, results, &watch, error);
    for (size_t n = 0; n < count && results; n++) {
        if (*led && ws_engine_failed(&results[n])) {
            *led = false;
            share_failure(attempt, &results[n]);
        }
        ws_job_result_free(&results[n]);
    }
    free(leaders);
    free(results);
    return status;
}

/* ---- Attempts ---- */

static enum ws_status run(struct attempt *attempt, struct ws_error *error)
{
    const struct ws_engine_watch *const asked = &attempt->watch->engine;
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch),
                                          .context = attempt,
                                          .progress = progress,
                                          .finished = finished,
                                          .wanted = wanted,
                                          .event = asked->event ? event : NULL,
                                          .quantum = asked->quantum ? quantum : NULL,
                                          .compiles = asked->compiles ? compiles : NULL,
                                          .gauges = asked->gauges ? gauges : NULL,
                                          .interval = asked->interval};
    bool led;
    const enum ws_status status = lead(attempt, &led, error);
    if (status != WS_STATUS_ok || !led)
        return status;
    return ws_engine_run(attempt->runner->running, attempt->jobs, attempt->count, attempt->results, &watch, error);
}

/* Opens the next engine and reports why. It replaces a lost device permanently. */
static enum ws_status take_next(struct attempt *again, const struct ws_job_result *failed, bool lost, struct ws_error *error)
{
    struct ws_runner *const runner = again->runner;
    const struct ws_runner_watch *const watch = again->watch;
    struct ws_engine_options native = runner->options;
    native.engine = "native";
    native.device = native.lane_form = NULL;
    if (!runner->next)
        WS_TRY(ws_engine_open(&native, &runner->next, error));
    runner->running = runner->next;
    if (watch->retries)
        watch->retries(watch->engine.context, again->numbers, again->count, ws_engine_name(runner->engine), ws_job_reason(failed));
    if (!lost)
        return WS_STATUS_ok;
    ws_engine_close(runner->engine);
    runner->engine = runner->next;
    runner->next = NULL;
    return WS_STATUS_ok;
}

/* Runs the jobs on which the first engine failed on the next one. */
static enum ws_status retry(const struct attempt *first, enum ws_status status, struct ws_error *error)
{
    struct attempt again = *first;
    size_t failures = 0;
    again.count = 0;
    for (size_t n = 0; n < first->count; n++)
        failures += ws_engine_failed(&first->results[n]);
    if (failures == 0)
        return status;
    struct ws_job_spec *const jobs = malloc(failures * sizeof *jobs);
    size_t *const numbers = malloc(failures * sizeof *numbers);
    again.jobs = jobs;
    again.numbers = numbers;
    again.results = calloc(failures, sizeof *again.results);
    again.last = true;
    for (size_t n = 0; n < first->count && jobs && numbers && again.results; n++) {
        if (ws_engine_failed(&first->results[n])) {
            jobs[again.count] = first->jobs[n];
            numbers[again.count++] = n;
        }
    }
    status = again.count > 0 ? take_next(&again, &first->results[numbers[0]], status != WS_STATUS_ok, error)
                             : ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", failures);
    if (status == WS_STATUS_ok) {
        status = run(&again, error);
        for (size_t n = 0; n < again.count; n++) {
            ws_job_result_free(&first->results[numbers[n]]);
            first->results[numbers[n]] = again.results[n];
        }
    }
    free(jobs);
    free(numbers);
    free(again.results);
    return status;
}

enum ws_status ws_runner_run(struct ws_runner *runner, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_runner_watch *watch, struct ws_error *error)
{
    struct attempt attempt = {
        .runner = runner, .watch = watch, .jobs = jobs, .results = results, .count = count, .last = !has_next(runner)};
    for (size_t n = 0; n < count; n++)
        results[n] = (struct ws_job_result){.status = WS_STATUS_running};
    enum ws_status status = run(&attempt, error);
    if (!attempt.last && status != WS_STATUS_interrupted)
        status = retry(&attempt, status, error);
    runner->running = runner->engine;
    return status;
}
