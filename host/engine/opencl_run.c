#include "engine/opencl.h"

#include <stdlib.h>

#include "base/error.h"
#include "engine/fold.h"
#include "engine/plan.h"

static void refuse(struct ws_run *run, const struct ws_task *task, const struct ws_error *why)
{
    ws_job_refuse(task->result, why);
    if (run->watch->finished)
        run->watch->finished(run->watch->context, task->number, task->result);
    run->done++;
}

/* Tasks of all jobs that can be planned; the others are refused. Returns how many. */
static size_t plan_tasks(struct ws_run *run, const struct ws_job_spec *jobs, struct ws_job_result *results, struct ws_task *tasks)
{
    size_t planned = 0;
    for (size_t n = 0; n < run->jobs; n++) {
        struct ws_task *const task = &tasks[planned];
        struct ws_error why;
        *task = (struct ws_task){.spec = &jobs[n], .result = &results[n], .number = n};
        if (ws_job_plan(&jobs[n], &task->job, &why) == WS_STATUS_ok)
            planned++;
        else
            refuse(run, task, &why);
    }
    return planned;
}

static int order(u64 a, u64 b)
{
    return (a > b) - (a < b);
}

/* By variant, then by image, then by number. */
static int compare_tasks(const void *one, const void *other)
{
    const struct ws_task *const a = one, *const b = other;
    int result = order(ws_variant_of(a->spec->machine), ws_variant_of(b->spec->machine));
    if (result == 0)
        result = order((uintptr_t)a->spec->image, (uintptr_t)b->spec->image);
    return result ? result : order(a->number, b->number);
}

/* Opens a wave of the first tasks, of fewer when the device lacks memory. */
static enum ws_status open_wave(struct ws_opencl *opencl, struct ws_run *run, u32 variant, struct ws_task *tasks, size_t count,
                                struct ws_wave *wave, struct ws_error *error)
{
    struct ws_limits limits = opencl->limits;
    do {
        const size_t fit = ws_wave_take(tasks, count, limits.trace);
        if (fit == 0)
            return ws_fail(error, WS_STATUS_no_memory, "%s has too little memory for the trace", opencl->device.name);
        const enum ws_status status = ws_wave_open(wave, run, opencl->programs[variant].program, tasks, fit, &limits, error);
        if (status == WS_STATUS_ok)
            return status;
        limits.slots = ws_max(wave->slots, 1); /* those it tried; with no room for even one, the trace is what to cut */
        ws_wave_close(wave);
        if (status != WS_STATUS_no_memory)
            return status;
    } while (ws_limits_halve(&limits));
    return WS_STATUS_no_memory;
}

/* Runs tasks of one variant, wave after wave. That its program cannot be built or fails the self-test is the failure of its jobs;
 * that there is no room for a trace, of that job alone. */
static enum ws_status run_variant(struct ws_opencl *opencl, struct ws_run *run, u32 variant, struct ws_task *tasks, size_t count,
                                  struct ws_error *error)
{
    struct ws_wave wave;
    if (ws_opencl_program(opencl, variant, error) != WS_STATUS_ok) {
        for (size_t n = 0; n < count; n++)
            refuse(run, &tasks[n], error);
        return WS_STATUS_ok;
    }
    for (size_t first = 0; first < count;) {
        const enum ws_status opened = open_wave(opencl, run, variant, tasks + first, count - first, &wave, error);
        if (opened == WS_STATUS_no_memory) {
            refuse(run, &tasks[first++], error);
            continue;
        }
        WS_TRY(opened);
        first += wave.count;
        const enum ws_status status = ws_wave_run(&wave, error);
        ws_wave_close(&wave);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

static enum ws_status run_tasks(struct ws_opencl *opencl, struct ws_run *run, struct ws_task *tasks, size_t count,
                                struct ws_error *error)
{
    qsort(tasks, count, sizeof *tasks, compare_tasks);
    for (size_t first = 0, last; first < count; first = last) {
        const u32 variant = ws_variant_of(tasks[first].spec->machine);
        for (last = first + 1; last < count && ws_variant_of(tasks[last].spec->machine) == variant; last++)
            ;
        WS_TRY(run_variant(opencl, run, variant, tasks + first, last - first, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_opencl_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error)
{
    struct ws_opencl *const opencl = state;
    struct ws_run run = {.cl = opencl->cl, .form = opencl->form, .watch = watch, .jobs = count};
    run.slice = opencl->slice;
    run.times = opencl->times;
    struct ws_task *const tasks = calloc(count + 1, sizeof *tasks);
    if (!tasks)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu jobs", count);
    const size_t planned = plan_tasks(&run, jobs, results, tasks);
    const enum ws_status status = run_tasks(opencl, &run, tasks, planned, error);
    free(tasks);
    return status;
}
