/* The native engine: jobs on all cores, advanced by quanta with kernels compiled as host C. */
#include "engine/native/native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/engine_ops.h"
#include "engine/events.h"
#include "engine/compile/fixed.h"
#include "engine/accumulate.h"
#include "engine/jobs/dueling.h"
#include "engine/native/align.h"
#include "engine/native/specialized.h"
#include "engine/plan.h"
#include "engine/state.h"
#include "engine/variant.h"

enum { TIMELINE_ROOM = 65536 };

struct native {
    u32 threads, quantum;
    bool times;
    struct ws_native_specialized *specialized;
    char device[128], special_device[192]; /* special_device: the description once specialized kernels are used */
};

/* State that the worker threads of one call share. */
struct workers {
    const struct native *native;
    const struct ws_job_spec *jobs;
    size_t count;
    struct ws_predecoded *predecoded;
    struct ws_job_result *results;
    const struct ws_engine_watch *watch;
    pthread_mutex_t lock; /* protects everything below, and calls of watch */
    size_t next, done;
    u64 warp_instructions;
    bool stopped;
};

/* The current job of a worker thread. */
struct task {
    struct ws_job job;
    struct ws_native_parts parts;
    const struct ws_native_row *row;
    size_t number;
};

static enum ws_status native_open(const struct ws_engine_options *options, void **state, struct ws_error *error)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct native *native = calloc(1, sizeof *native);
    if (!native)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory opening the native engine");
    if (options->device || (options->lane_form && strcmp(options->lane_form, "loop") != 0)) {
        free(native);
        return ws_fail(error, WS_STATUS_usage,
                       "--engine native has no devices and only --lane-form loop; leave out --device, or take --engine opencl");
    }
    native->threads = options->threads ? options->threads : cores > 0 ? (u32)cores : 1;
    native->quantum = options->quantum ? ws_min(options->quantum, WS_QUANTUM_MOST) : WS_QUANTUM_MOST;
    native->times = options->times;
    native->specialized = ws_native_specialized_open(options->specialize, WS_FIXED_WORTH);
    if (!native->specialized && options->specialize == WS_SPECIALIZE_ALWAYS) {
        free(native);
        return ws_fail(error, WS_STATUS_usage,
                       "--specialize always: this processor has no AVX2, which specialized kernels need; leave it out");
    }
    snprintf(native->device, sizeof native->device, "host, %u thread%s", native->threads, native->threads == 1 ? "" : "s");
    snprintf(native->special_device, sizeof native->special_device, "%s, specialized kernels", native->device);
    *state = native;
    return WS_STATUS_ok;
}

static void native_close(void *state)
{
    ws_native_specialized_close(((struct native *)state)->specialized);
    free(state);
}

static const char *native_describe(const void *state)
{
    const struct native *const native = state;
    return ws_native_specialized_count(native->specialized) > 0 ? native->special_device : native->device;
}

static u32 native_at_once(const void *state)
{
    return ((const struct native *)state)->threads;
}

static void task_free(struct task *task)
{
    free(task->parts.state);
    free(task->parts.records);
    memset(&task->parts, 0, sizeof task->parts);
}

static enum ws_status task_open(const struct workers *workers, struct task *task, struct ws_error *error)
{
    struct ws_job_spec spec = workers->jobs[task->number];
    struct ws_job_result *result = &workers->results[task->number];
    memset(&task->parts, 0, sizeof task->parts);
    spec.image = ws_predecoded_image(workers->predecoded, workers->jobs, task->number);
    WS_TRY(ws_job_plan(&spec, &task->job, error));
    task->row = ws_native_row_of(&task->job.machine);
    task->parts.program = spec.image->program;
    task->parts.groups = spec.image->groups;
    task->parts.words = spec.image->words;
    task->parts.state = calloc(task->job.plan.state_words, sizeof(u32));
    bool lacking = !task->parts.state;
    result->warps_per_block = task->job.plan.warps_per_block;
    if (workers->native->times) {
        task->job.times = 0;
        task->job.timeline = ws_times_bytes(&task->job) / sizeof(u32);
    }
    task->job.recorded = ws_events_wanted(spec.machine, workers->native->times, workers->watch);
    task->job.timeline_room = task->job.recorded ? TIMELINE_ROOM : 0;
    const size_t records = task->job.timeline * sizeof(u32) + task->job.timeline_room * sizeof(struct ws_event);
    if (records > 0) {
        task->parts.records = calloc(1, records);
        lacking = lacking || !task->parts.records;
    }
    if (lacking) {
        task_free(task);
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a simulation of %u bytes", task->job.plan.state_words * 4);
    }
    ((struct ws_head *)task->parts.state)->status = WS_STATUS_running;
    return WS_STATUS_ok;
}

/* Waits for the job's kernels; compile time is not counted as the job's. */
static enum ws_status task_await(struct workers *workers, const struct task *task, double *start, struct ws_error *error)
{
    const double before = ws_seconds_now();
    const bool tells = workers->watch->compiles && !ws_native_quantum_find(task->row, task->job.machine.schedule_policy);
    if (tells) {
        char kernels[64];
        snprintf(kernels, sizeof kernels, "%s %s", task->row->pipeline_name, task->row->path_name);
        pthread_mutex_lock(&workers->lock);
        workers->watch->compiles(workers->watch->context, kernels);
        pthread_mutex_unlock(&workers->lock);
    }
    enum ws_status status = ws_native_quantum_need(task->row, task->job.machine.schedule_policy, error);
    if (tells) {
        pthread_mutex_lock(&workers->lock);
        workers->watch->compiles(workers->watch->context, NULL);
        pthread_mutex_unlock(&workers->lock);
    }
    if (status == WS_STATUS_ok)
        status = ws_native_specialized_prepare(workers->native->specialized, task->row, error);
    *start += ws_seconds_now() - before;
    return status;
}

/* Delivers the events of a quantum. The lock is held. */
static enum ws_status pass_events(const struct workers *workers, const struct task *task, const struct ws_head *head,
                                  struct ws_error *error)
{
    const struct ws_event_sink sink = {
        .watch = workers->watch, .job = task->number, .result = workers->native->times ? &workers->results[task->number] : NULL};
    const u64 base = head->base - head->counters[WS_COUNT_cycles];
    if (head->events == 0)
        return WS_STATUS_ok;
    return ws_events_pass(&sink, base, (const struct ws_event *)(task->parts.records + task->job.timeline), head->events, error);
}

/* Reports a quantum of a job; false if the run must stop. The lock is held. */
static bool watch_quantum(struct workers *workers, const struct task *task, const struct ws_head *head)
{
    const struct ws_engine_watch *watch = workers->watch;
    const size_t job = task->number;
    if (watch->gauges)
        ws_state_report(watch, job, &task->job, task->parts.state);
    ws_quantum_report(watch, job, workers->results[job].counters[WS_COUNT_cycles] - head->counters[WS_COUNT_cycles],
                      head->counters);
    workers->warp_instructions += head->counters[WS_COUNT_warp_instructions];
    if (watch->progress && !watch->progress(watch->context, workers->done, workers->count, workers->warp_instructions))
        workers->stopped = true;
    return !workers->stopped;
}

/* Copies the recorded times, if any, to the result. */
static enum ws_status take_times(const struct task *task, struct ws_job_result *result, struct ws_error *error)
{
    if (task->job.times == WS_NO_RECORDS)
        return WS_STATUS_ok;
    WS_TRY(ws_times_allocate(&task->job, result, error));
    memcpy(result->times, task->parts.records, ws_times_bytes(&task->job));
    return WS_STATUS_ok;
}

/* Runs a job until it ends or fails; returns whether it ended. */
static bool task_run(struct workers *workers, struct task *task)
{
    struct ws_job_result *result = &workers->results[task->number];
    const struct ws_head *head = (const struct ws_head *)task->parts.state;
    struct ws_error error;
    bool going = true;
    while (going && head->status == WS_STATUS_running) {
        ws_native_specialized_advance(workers->native->specialized, task->row, &task->job, &task->parts,
                                      ws_quantum_until(workers->watch, head->base, workers->native->quantum));
        ws_accumulate_counters(result->counters, head->counters);
        ws_dueling_step(&workers->jobs[task->number], &task->job, head);
        pthread_mutex_lock(&workers->lock);
        enum ws_status status = pass_events(workers, task, head, &error);
        going = watch_quantum(workers, task, head);
        pthread_mutex_unlock(&workers->lock);
        if (status == WS_STATUS_ok && head->wants_room)
            status = ws_state_grow(&task->job, &task->parts.state, &error);
        if (status != WS_STATUS_ok) {
            ws_job_refuse(result, &error);
            return true;
        }
        head = (const struct ws_head *)task->parts.state;
    }
    if (head->status == WS_STATUS_running)
        return false;
    if (take_times(task, result, &error) == WS_STATUS_ok)
        ws_job_end(&task->job.machine, head, result);
    else
        ws_job_refuse(result, &error);
    return true;
}

/* Opens, runs and ends one job. */
static void do_job(struct workers *workers, size_t number)
{
    struct task task = {.number = number};
    struct ws_error error = {.status = WS_STATUS_ok};
    double start = ws_seconds_now();
    bool ended = true;
    if (task_open(workers, &task, &error) == WS_STATUS_ok && task_await(workers, &task, &start, &error) == WS_STATUS_ok)
        ended = task_run(workers, &task);
    else if (error.status != WS_STATUS_interrupted)
        ws_job_refuse(&workers->results[number], &error);
    else
        ended = false;
    task_free(&task);
    if (task.row)
        ws_native_specialized_ended(workers->native->specialized, task.row);
    ws_predecoded_done(workers->predecoded, number);
    workers->results[number].seconds = ws_seconds_now() - start;
    pthread_mutex_lock(&workers->lock);
    workers->stopped = workers->stopped || error.status == WS_STATUS_interrupted; /* interrupted while it waited for the compiler */
    workers->done += ended;
    if (ended && workers->watch->finished)
        workers->watch->finished(workers->watch->context, number, &workers->results[number]);
    pthread_mutex_unlock(&workers->lock);
}

/* Takes the next job that the watch wants; false for none. The lock is held. */
static bool take(struct workers *workers, size_t *number)
{
    const struct ws_engine_watch *const watch = workers->watch;
    while (!workers->stopped && workers->next < workers->count) {
        *number = workers->next++;
        if (!watch->wanted || watch->wanted(watch->context, *number))
            return true;
        workers->results[*number].status = WS_STATUS_interrupted;
        workers->done++;
    }
    return false;
}

static void *work(void *argument)
{
    struct workers *workers = argument;
    for (;;) {
        size_t number;
        pthread_mutex_lock(&workers->lock);
        const bool taken = take(workers, &number);
        pthread_mutex_unlock(&workers->lock);
        if (!taken)
            return NULL;
        do_job(workers, number);
    }
}

static enum ws_status native_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_predecoded *predecoded,
                                 struct ws_job_result *results, const struct ws_engine_watch *watch, struct ws_error *error)
{
    struct workers workers = {
        .native = state, .jobs = jobs, .count = count, .predecoded = predecoded, .results = results, .watch = watch};
    const u32 wanted = workers.native->threads - 1;
    pthread_t *helpers = calloc(wanted + 1, sizeof *helpers);
    u32 started = 0;
    if (!helpers)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u threads", wanted);
    pthread_mutex_init(&workers.lock, NULL);
    ws_native_specialized_begin(workers.native->specialized, jobs, count, workers.native->times, workers.watch);
    while (started < wanted && started + 1 < count && pthread_create(&helpers[started], NULL, work, &workers) == 0)
        started++;
    work(&workers);
    for (u32 n = 0; n < started; n++)
        pthread_join(helpers[n], NULL);
    pthread_mutex_destroy(&workers.lock);
    free(helpers);
    return workers.stopped ? ws_fail(error, WS_STATUS_interrupted, "stopped with %zu of %zu jobs done", workers.done, count)
                           : WS_STATUS_ok;
}

static enum ws_status native_align(void *state, const struct ws_align_batch *batch, struct ws_error *error)
{
    return ws_native_align_run(((const struct native *)state)->threads, batch, error);
}

static void native_list(void (*line)(void *context, const char *name, const char *about), void *context)
{
    char about[64];
    snprintf(about, sizeof about, "all %ld cores of the host; lanes as loop", sysconf(_SC_NPROCESSORS_ONLN));
    line(context, "native", about);
}

const struct ws_engine_ops ws_engine_native = {.name = "native",
                                               .open = native_open,
                                               .close = native_close,
                                               .describe = native_describe,
                                               .at_once = native_at_once,
                                               .run = native_run,
                                               .align = native_align,
                                               .list = native_list};
