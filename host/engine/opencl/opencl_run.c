#include "base/number.h"
#include "engine/opencl/opencl.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/events.h"
#include "engine/accumulate.h"
#include "engine/opencl/trace_buffer.h"
#include "engine/plan.h"

static void refuse(struct ws_run *run, const struct ws_task *task, const struct ws_error *why)
{
    ws_job_refuse(task->result, why);
    if (run->watch->finished)
        run->watch->finished(run->watch->context, task->number, task->result);
    run->done++;
}

/* Makes tasks of all jobs that can be planned; the others are refused. Returns their number. */
static size_t plan_tasks(struct ws_run *run, const struct ws_job_spec *jobs, struct ws_predecoded *predecoded,
                         struct ws_job_result *results, struct ws_task *tasks)
{
    size_t planned = 0;
    for (size_t n = 0; n < run->jobs; n++) {
        struct ws_task *const task = &tasks[planned];
        struct ws_error why;
        *task = (struct ws_task){.spec = jobs[n], .result = &results[n], .number = n};
        task->spec.image = ws_predecoded_image(predecoded, jobs, n);
        if (ws_job_plan(&task->spec, &task->job, &why) == WS_STATUS_ok)
            planned++;
        else
            refuse(run, task, &why);
    }
    return planned;
}

/* By variant, then by image, then by number. */
static int compare_tasks(const void *one, const void *other)
{
    const struct ws_task *const a = one, *const b = other;
    int result = ws_order(ws_variant_of(&a->job.machine), ws_variant_of(&b->job.machine));
    if (result == 0)
        result = ws_order((uintptr_t)a->spec.image, (uintptr_t)b->spec.image);
    return result ? result : ws_order(a->number, b->number);
}

/* ---- Traces ---- */

static int compare_images(const void *one, const void *other)
{
    const struct ws_task *const a = one, *const b = other;
    return ws_order((uintptr_t)a->spec.image, (uintptr_t)b->spec.image);
}

/* Loads the traces of all tasks once, whatever their variant, if they fit together. */
static enum ws_status load_traces(const struct ws_opencl *opencl, struct ws_run *run, struct ws_task *tasks, size_t count,
                                  struct ws_error *error)
{
    qsort(tasks, count, sizeof *tasks, compare_images);
    run->trace_bytes = ws_trace_bytes(tasks, count);
    if (count == 0 || run->trace_bytes > opencl->limits.trace)
        return WS_STATUS_ok;
    const enum ws_status status = ws_trace_buffer_new(run->cl, tasks, count, &run->traces, error);
    return status == WS_STATUS_no_memory ? WS_STATUS_ok : status;
}

static void unload_traces(struct ws_run *run)
{
    ws_cl_buffer_free(run->traces);
    run->traces = NULL;
}

/* ---- Batches ---- */

/* Moves the unfinished tasks to the front, in order; returns their number. */
static size_t unfinished(struct ws_task *tasks, size_t count)
{
    size_t kept = 0;
    for (size_t n = 0; n < count; n++)
        if (tasks[n].result->status == WS_STATUS_running)
            tasks[kept++] = tasks[n];
    return kept;
}

/* Runs a batch of the first tasks. After WS_STATUS_no_memory the limits are smaller, or *hopeless is true. */
static enum ws_status run_batch(struct ws_run *run, const struct ws_device_program *program, struct ws_task *tasks, size_t count,
                                struct ws_limits *limits, bool *hopeless, struct ws_error *error)
{
    struct ws_batch batch;
    const size_t fit = ws_batch_take(tasks, count, limits->trace);
    *hopeless = fit == 0;
    if (fit == 0)
        return ws_fail(error, WS_STATUS_no_memory,
                       "the device has too little memory for the trace; take --engine native, or more shards");
    enum ws_status status = ws_batch_open(&batch, run, program, tasks, fit, limits, error);
    if (status == WS_STATUS_ok)
        status = ws_batch_run(&batch, error);
    if (status == WS_STATUS_no_memory)
        *hopeless = !ws_batch_shrink(&batch, limits);
    ws_batch_close(&batch);
    return status;
}

/* Runs tasks of one program in batches. Lack of room for a single job fails that job, unless nothing works on the device any
 * more. */
static enum ws_status run_program(struct ws_opencl *opencl, struct ws_run *run, const struct ws_device_program *program,
                                  struct ws_task *tasks, size_t count, struct ws_error *error)
{
    struct ws_limits limits = ws_opencl_limits(opencl, program);
    struct ws_error why;
    bool hopeless;
    while ((count = unfinished(tasks, count)) > 0) {
        const enum ws_status status = run_batch(run, program, tasks, count, &limits, &hopeless, &why);
        if (status == WS_STATUS_ok || (status == WS_STATUS_no_memory && !hopeless))
            continue;
        if (status != WS_STATUS_no_memory)
            return ws_fail(error, status, "%s", why.message);
        WS_TRY(ws_cl_probe(opencl->cl, error));
        limits = ws_opencl_limits(opencl, program);
        if (run->traces)
            unload_traces(run); /* loaded one by one they may leave room */
        else
            refuse(run, &tasks[0], &why);
    }
    return WS_STATUS_ok;
}

/* ---- Variants ---- */

/* Counts the tasks' machines; returns whether another specialized program is needed. *first: the job with the lowest number, whose
 * machine tests that program. */
static bool add_tasks(struct ws_specialized *specialized, const struct ws_run *run, const struct ws_task *tasks, size_t count,
                      const struct ws_task **first)
{
    bool other = false;
    *first = tasks;
    for (size_t n = 0; n < count; n++) {
        const struct ws_machine *const machine = tasks[n].spec.machine;
        *first = tasks[n].number < (*first)->number ? &tasks[n] : *first;
        if (n == 0 || machine != tasks[n - 1].spec.machine)
            other |= ws_specialized_add(specialized, machine, ws_events_wanted(machine, run->times, run->watch));
    }
    return other;
}

/* Chooses the loaded general program, or the specialized one: if the cache has it, if it is required, or if the variant's jobs have
 * taken so long that it pays. */
static enum ws_status choose_program(struct ws_opencl *opencl, struct ws_run *run, u32 variant, const struct ws_task *tasks,
                                     size_t count, const struct ws_device_program **program, struct ws_error *error)
{
    struct ws_specialized_program *const specialized = &opencl->specialized[variant];
    struct ws_specialized *const common = &specialized->common;
    const struct ws_task *first;
    const bool required = opencl->specialize == WS_SPECIALIZE_ALWAYS;
    struct ws_error why;
    *program = &opencl->programs[variant];
    if (opencl->specialize == WS_SPECIALIZE_NEVER)
        return WS_STATUS_ok;
    if (add_tasks(common, run, tasks, count, &first)) {
        ws_device_program_free(&specialized->program);
        const bool cached = !required && ws_opencl_specialized_cached(opencl, variant, first->spec.machine);
        common->state = cached ? WS_SPECIALIZED_cached : WS_SPECIALIZED_absent;
    }
    const bool pays = common->state == WS_SPECIALIZED_cached ||
                      (common->state == WS_SPECIALIZED_absent && ws_specialized_pays(common, WS_FIXED_WORTH));
    if (!specialized->program.program && (required || pays)) {
        const enum ws_status status = ws_opencl_load_specialized(opencl, run, variant, first->spec.machine, &why);
        common->state = status == WS_STATUS_ok ? WS_SPECIALIZED_verified : WS_SPECIALIZED_refused;
        if (status != WS_STATUS_ok && (required || status == WS_STATUS_lost_device || status == WS_STATUS_interrupted))
            return ws_fail(error, status, "%s", why.message);
    }
    if (specialized->program.program) {
        *program = &specialized->program;
        ws_opencl_mention_specialized(opencl);
    }
    return WS_STATUS_ok;
}

/* Runs tasks of one variant. If its program cannot be built or fails the self-test, its jobs fail, as long as anything works on the
 * device. */
static enum ws_status run_variant(struct ws_opencl *opencl, struct ws_run *run, struct ws_task *tasks, size_t count,
                                  struct ws_error *error)
{
    const u32 variant = ws_variant_of(&tasks[0].job.machine);
    const struct ws_device_program *program = NULL;
    struct ws_error why;
    enum ws_status status = ws_opencl_load(opencl, run, variant, &why);
    if (status == WS_STATUS_ok)
        status = choose_program(opencl, run, variant, tasks, count, &program, &why);
    if (status == WS_STATUS_lost_device || status == WS_STATUS_interrupted)
        return ws_fail(error, status, "%s", why.message);
    if (status != WS_STATUS_ok) {
        WS_TRY(ws_cl_probe(opencl->cl, error));
        for (size_t n = 0; n < count; n++)
            refuse(run, &tasks[n], &why);
    }
    WS_TRY(ws_run_progress(run, error));
    if (status != WS_STATUS_ok)
        return WS_STATUS_ok;
    const double began = ws_seconds_now();
    status = run_program(opencl, run, program, tasks, count, error);
    if (program == &opencl->programs[variant])
        opencl->specialized[variant].common.seconds += ws_seconds_now() - began;
    return status;
}

/* Number of tasks with the variant of the first. */
static size_t same_variant(const struct ws_task *tasks, size_t count)
{
    size_t same = 1;
    while (same < count && ws_variant_of(&tasks[same].job.machine) == ws_variant_of(&tasks[0].job.machine))
        same++;
    return same;
}

static enum ws_status run_tasks(struct ws_opencl *opencl, struct ws_run *run, struct ws_task *tasks, size_t count,
                                struct ws_error *error)
{
    size_t same;
    WS_TRY(load_traces(opencl, run, tasks, count, error));
    qsort(tasks, count, sizeof *tasks, compare_tasks);
    for (size_t first = 0; first < count; first += same) {
        same = same_variant(tasks + first, count - first);
        WS_TRY(run_variant(opencl, run, tasks + first, same, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_opencl_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_predecoded *predecoded,
                             struct ws_job_result *results, const struct ws_engine_watch *watch, struct ws_error *error)
{
    struct ws_opencl *const opencl = state;
    struct ws_run run = {.cl = opencl->cl, .watch = watch, .jobs = count};
    run.quantum = opencl->quantum;
    run.quantum_adapts = opencl->quantum_adapts;
    run.times = opencl->times;
    struct ws_task *const tasks = calloc(count + 1, sizeof *tasks);
    if (!tasks)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", count);
    const size_t planned = plan_tasks(&run, jobs, predecoded, results, tasks);
    const enum ws_status status = run_tasks(opencl, &run, tasks, planned, error);
    unload_traces(&run);
    free(tasks);
    return status;
}
