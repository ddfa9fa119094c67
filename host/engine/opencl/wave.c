#include "engine/opencl/wave.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/events.h"
#include "engine/fold.h"
#include "engine/jobs/duel.h"
#include "engine/state.h"
#include "shared/state.h"

enum {
    SLOT_WORDS = 32, /* slots begin at multiples of these */
    SHORTEST_SLICE = 1 << 10
};

/* Seconds of a launch between which slices stay as they are. */
#define SHORT_LAUNCH 0.02
#define LONG_LAUNCH  0.1

enum ws_status ws_run_progress(const struct ws_run *run, struct ws_error *error)
{
    const struct ws_engine_watch *const watch = run->watch;
    if (watch->progress && !watch->progress(watch->context, run->done, run->jobs, run->warp_instructions))
        return ws_fail(error, WS_STATUS_interrupted, "interrupted with %zu of %zu jobs done", run->done, run->jobs);
    return WS_STATUS_ok;
}

static u64 most(u64 a, u64 b)
{
    return b > a ? b : a;
}

static u32 event_words(void)
{
    return (u32)(sizeof(struct ws_event) / sizeof(u32));
}

/* Room that a slot has for so many words. */
static u32 slot_words(u32 words)
{
    return (words + SLOT_WORDS - 1) / SLOT_WORDS * SLOT_WORDS;
}

/* Words of a job's state when it has grown. */
static u32 grown(const struct ws_job *job)
{
    struct ws_job copy = *job;
    ws_plan_grow(&copy);
    return copy.plan.state_words;
}

/* Kinds of events that the job records. */
static u32 recorded(const struct ws_wave *wave, const struct ws_job *job)
{
    return ws_events_wanted(&job->machine, wave->run->times, wave->run->watch);
}

/* Room of a slot: what the most demanding task needs. */
static void measure(struct ws_wave *wave)
{
    for (size_t n = 0; n < wave->count; n++) {
        const struct ws_job *const job = &wave->tasks[n].job;
        wave->state_words = ws_max(wave->state_words, job->plan.state_words);
        if (wave->run->times)
            wave->times_words = most(wave->times_words, ws_times_bytes(job) / sizeof(u32));
        if (recorded(wave, job))
            wave->timeline_room = WS_EVENTS_LEAST;
    }
    wave->state_words = slot_words(wave->state_words);
}

static u64 record_words(const struct ws_wave *wave)
{
    return wave->times_words + (u64)wave->timeline_room * event_words();
}

static u64 least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* As many slots as tasks, as far as the limits go; 0 if there is not even room for one. */
static u32 count_slots(const struct ws_wave *wave, const struct ws_limits *limits)
{
    const u64 traces = wave->run->traces ? wave->run->trace_bytes : ws_trace_bytes(wave->tasks, wave->count);
    const u64 state = (u64)wave->state_words * sizeof(u32), records = record_words(wave) * sizeof(u32);
    const u64 rest = limits->memory > traces ? limits->memory - traces : 0;
    u64 slots = least(wave->count, limits->slots);
    slots = least(slots, rest / (state + records + sizeof(struct ws_job)));
    slots = least(slots, limits->allocation / state);
    return (u32)(records ? least(slots, limits->allocation / records) : slots);
}

/* Two halves where each of them is enough to do for the device. Events are read between slices. */
static void halve(struct ws_wave *wave)
{
    wave->halves = wave->slots > 1 && wave->slots / 2 >= wave->at_once && !wave->timeline_room ? 2 : 1;
    wave->half[0].slots = wave->halves == 2 ? wave->slots / 2 : wave->slots;
    wave->half[1].first = wave->half[0].slots;
    wave->half[1].slots = wave->slots - wave->half[0].slots;
}

/* The device's memory is claimed by writing all of it, so that too little shows here. */
static enum ws_status make_buffers(struct ws_wave *wave, struct ws_error *error)
{
    struct ws_cl *const cl = wave->run->cl;
    const u64 state = (u64)wave->slots * wave->state_words * sizeof(u32), jobs = wave->slots * sizeof(struct ws_job);
    const u64 records = (SLOT_WORDS + wave->slots * record_words(wave)) * sizeof(u32); /* never empty */
    if (!wave->run->traces)
        WS_TRY(ws_trace_buffer_new(cl, wave->tasks, wave->count, &wave->traces, error));
    WS_TRY(ws_cl_buffer_new(cl, jobs, &wave->jobs, error));
    WS_TRY(ws_cl_buffer_new(cl, state, &wave->state, error));
    WS_TRY(ws_cl_buffer_new(cl, records, &wave->records, error));
    WS_TRY(ws_cl_zero(cl, wave->records, 0, records, error));
    WS_TRY(ws_cl_zero(cl, wave->jobs, 0, jobs, error));
    WS_TRY(ws_cl_zero(cl, wave->state, 0, state, error));
    void *heads = NULL;
    const enum ws_status status = ws_cl_host_new(cl, wave->slots * sizeof *wave->heads, &wave->heads_buffer, &heads, error);
    wave->heads = heads;
    return status;
}

enum ws_status ws_wave_open(struct ws_wave *wave, struct ws_run *run, const struct ws_device_program *program,
                            struct ws_task *tasks, size_t count, const struct ws_limits *limits, struct ws_error *error)
{
    *wave = (struct ws_wave){.run = run, .program = program, .tasks = tasks, .count = count};
    measure(wave);
    wave->slots = count_slots(wave, limits);
    if (wave->slots == 0)
        return ws_fail(error, WS_STATUS_no_memory, "the device has no room for one simulation of %u KB beside its trace",
                       wave->state_words / 256);
    wave->at_once = limits->at_once;
    halve(wave);
    wave->slot = calloc(wave->slots, sizeof(struct ws_task *));
    wave->entered = calloc(wave->slots, sizeof *wave->entered);
    wave->events = calloc(ws_max(1, wave->timeline_room), sizeof *wave->events);
    if (!wave->slot || !wave->entered || !wave->events)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u simulations in flight", wave->slots);
    return make_buffers(wave, error);
}

void ws_wave_close(struct ws_wave *wave)
{
    ws_cl_buffer_free(wave->jobs);
    ws_cl_buffer_free(wave->traces);
    ws_cl_buffer_free(wave->state);
    ws_cl_buffer_free(wave->records);
    ws_cl_buffer_free(wave->heads_buffer);
    free(wave->slot);
    free(wave->entered);
    free(wave->events);
    *wave = (struct ws_wave){.run = NULL};
}

bool ws_wave_shrink(const struct ws_wave *wave, struct ws_limits *limits)
{
    const u64 trace = ws_trace_bytes(wave->tasks, 1);
    if (wave->slots > 1)
        limits->slots = wave->slots / 2;
    else if (ws_trace_bytes(wave->tasks, wave->count) > trace)
        limits->trace = trace;
    else
        return false;
    return true;
}

/* ---- Slots ---- */

static u64 times_at(const struct ws_wave *wave, u32 slot)
{
    return slot * record_words(wave);
}

/* What the host knows of the job in a slot, to the device; it stays as it is until the next launch. */
static enum ws_status write_job(const struct ws_wave *wave, u32 slot, struct ws_error *error)
{
    const struct ws_job *const job = &wave->slot[slot]->job;
    return ws_cl_begin_write(wave->run->cl, wave->jobs, slot * sizeof *job, sizeof *job, job, error);
}

/* The next task that is wanted; NULL when there is none. */
static struct ws_task *take(struct ws_wave *wave)
{
    const struct ws_engine_watch *const watch = wave->run->watch;
    while (wave->next < wave->count) {
        struct ws_task *const task = &wave->tasks[wave->next++];
        if (!watch->wanted || watch->wanted(watch->context, task->number))
            return task;
        task->result->status = WS_STATUS_interrupted;
        wave->run->done++;
    }
    return NULL;
}

/* Puts the next task into a free slot, for write_entered; whether there is one. */
static bool enter(struct ws_wave *wave, struct ws_half *half, u32 slot)
{
    struct ws_task *const task = take(wave);
    if (!task)
        return false;
    task->job.state = (u64)slot * wave->state_words;
    task->job.times = wave->times_words ? times_at(wave, slot) : WS_NO_RECORDS;
    task->job.timeline = wave->timeline_room ? times_at(wave, slot) + wave->times_words : WS_NO_RECORDS;
    task->job.timeline_room = wave->timeline_room;
    task->job.recorded = recorded(wave, &task->job);
    ws_duel_begin(&task->spec, &task->job);
    wave->slot[slot] = task;
    wave->entered[slot] = task->job;
    wave->heads[slot] = (struct ws_head){.status = WS_STATUS_running};
    wave->in_flight++;
    half->in_flight++;
    return true;
}

/* The jobs that have entered some slots, and their first states. Nothing is waited for: what is written stays until the half's
 * launch has ended. */
static enum ws_status write_entered(struct ws_wave *wave, u32 first, u32 count, struct ws_error *error)
{
    struct ws_cl *const cl = wave->run->cl;
    const u64 state = wave->state_words * sizeof(u32);
    const struct ws_head *const heads = wave->heads + first;
    const struct ws_job *const jobs = wave->entered + first;
    WS_TRY(ws_cl_zero(cl, wave->state, first * state, count * state, error));
    WS_TRY(ws_cl_begin_write_rows(cl, wave->state, state, first, count, offsetof(struct ws_head, counters), heads, sizeof *heads,
                                  error));
    return ws_cl_begin_write(cl, wave->jobs, first * sizeof *jobs, count * sizeof *jobs, jobs, error);
}

/* Free slots next to each other are written together: a command for each takes a GPU's driver longer than a slice. */
static enum ws_status fill_slots(struct ws_wave *wave, struct ws_half *half, struct ws_error *error)
{
    const u32 end = half->first + half->slots;
    for (u32 slot = half->first; slot < end; slot++) {
        const u32 first = slot;
        while (slot < end && !wave->slot[slot] && enter(wave, half, slot))
            slot++;
        if (slot > first)
            WS_TRY(write_entered(wave, first, slot - first, error));
    }
    return WS_STATUS_ok;
}

/* ---- After a slice ---- */

/* Events of a job that runs for the second time are not shown again. */
static enum ws_status pass_events(struct ws_wave *wave, u32 slot, struct ws_error *error)
{
    struct ws_task *const task = wave->slot[slot];
    const u32 count = ws_min(wave->heads[slot].events, wave->timeline_room);
    const u64 base = task->result->counters[WS_COUNT_cycles];
    const struct ws_event_sink sink = {
        .watch = wave->run->watch, .job = task->number, .from = task->shown, .result = wave->run->times ? task->result : NULL};
    if (count == 0)
        return WS_STATUS_ok;
    WS_TRY(ws_cl_read(wave->run->cl, wave->records, task->job.timeline * sizeof(u32), count * sizeof *wave->events, wave->events,
                      error));
    WS_TRY(ws_events_pass(&sink, base, wave->events, count, error));
    task->shown = most(task->shown, base + wave->heads[slot].counters[WS_COUNT_cycles]);
    return WS_STATUS_ok;
}

static enum ws_status read_times(struct ws_wave *wave, const struct ws_task *task, struct ws_error *error)
{
    task->result->warps_per_block = task->job.plan.warps_per_block;
    if (!wave->run->times)
        return WS_STATUS_ok;
    WS_TRY(ws_times_allocate(&task->job, task->result, error));
    return ws_cl_read(wave->run->cl, wave->records, task->job.times * sizeof(u32), ws_times_bytes(&task->job), task->result->times,
                      error);
}

static enum ws_status leave(struct ws_wave *wave, struct ws_half *half, u32 slot, struct ws_error *error)
{
    const struct ws_task *const task = wave->slot[slot];
    const struct ws_engine_watch *const watch = wave->run->watch;
    WS_TRY(read_times(wave, task, error));
    ws_job_end(&task->job.machine, &wave->heads[slot], task->result);
    if (watch->finished)
        watch->finished(watch->context, task->number, task->result);
    wave->slot[slot] = NULL;
    wave->in_flight--;
    half->in_flight--;
    wave->run->done++;
    return WS_STATUS_ok;
}

static enum ws_status collect(struct ws_wave *wave, struct ws_half *half, u32 slot, double seconds, struct ws_error *error)
{
    const struct ws_head *const head = &wave->heads[slot];
    struct ws_task *const task = wave->slot[slot];
    struct ws_job_result *const result = task->result;
    if (wave->timeline_room)
        WS_TRY(pass_events(wave, slot, error));
    ws_slice_tell(wave->run->watch, task->number, result->counters[WS_COUNT_cycles], head->counters);
    ws_fold_counters(result->counters, head->counters);
    result->seconds += seconds;
    wave->run->warp_instructions += head->counters[WS_COUNT_warp_instructions];
    if (ws_duel_slice(&task->spec, &task->job, head))
        WS_TRY(write_job(wave, slot, error));
    return head->status == WS_STATUS_running ? WS_STATUS_ok : leave(wave, half, slot, error);
}

/* A launch takes long against its start and short against what people, and drivers that watch over displays, wait for. Events are
 * cut where slices end, and must be cut alike when a job runs again. */
static void adapt_slice(struct ws_run *run, double seconds)
{
    if (!run->slice_adapts || run->watch->event)
        return;
    if (seconds < SHORT_LAUNCH && run->slice < WS_SLICE_MOST)
        run->slice *= 2;
    else if (seconds > LONG_LAUNCH && run->slice > SHORTEST_SLICE)
        run->slice /= 2;
}

/* Fills free slots of a half and begins a launch for all that are taken. */
static enum ws_status begin_slice(struct ws_wave *wave, struct ws_half *half, struct ws_error *error)
{
    struct ws_run *const run = wave->run;
    const struct ws_cl_argument arguments[] = {{.buffer = wave->jobs},  {.buffer = wave->traces ? wave->traces : run->traces},
                                               {.buffer = wave->state}, {.buffer = wave->records},
                                               {.number = half->first}, {.number = run->slice}};
    WS_TRY(fill_slots(wave, half, error));
    if (half->in_flight == 0)
        return WS_STATUS_ok;
    half->began = ws_seconds_now();
    WS_TRY(ws_cl_begin_launch(run->cl, wave->program->program, "sm_slice", arguments, sizeof arguments / sizeof *arguments,
                              half->slots, wave->program->form->work_items, &half->running, error));
    return ws_cl_begin_read_rows(run->cl, wave->state, wave->state_words * sizeof(u32), half->first, half->slots,
                                 sizeof *wave->heads, wave->heads + half->first, &half->running, error);
}

/* ---- Room for requests ---- */

static bool wants_room(const struct ws_wave *wave)
{
    for (u32 slot = 0; slot < wave->slots; slot++)
        if (wave->slot[slot] && wave->heads[slot].wants_room)
            return true;
    return false;
}

/* Moves the state of the job in a slot from one buffer to the slot's place in another. */
static enum ws_status move_state(struct ws_wave *wave, u32 slot, struct ws_cl_buffer *from, u64 place, u32 *words,
                                 struct ws_error *error)
{
    struct ws_task *const task = wave->slot[slot];
    const u64 bytes = task->job.plan.state_words * sizeof(u32);
    struct ws_cl *const cl = wave->run->cl;
    WS_TRY(ws_cl_read(cl, from, place * sizeof(u32), bytes, words, error));
    if (wave->heads[slot].wants_room)
        ws_plan_grow(&task->job);
    wave->heads[slot].wants_room = 0; /* until the slot's next slice has been read */
    task->job.state = (u64)slot * wave->state_words;
    WS_TRY(ws_cl_write(cl, wave->state, task->job.state * sizeof(u32), bytes, words, error));
    return ws_cl_write(cl, wave->jobs, slot * sizeof task->job, sizeof task->job, &task->job, error);
}

/* The job of a free slot has ended. Its group still looks for the status where the job says that its state is: in the slot's place
 * in the new buffer, which is zero, rather than in the old place, which may be within another job's state by now. */
static enum ws_status move_free(struct ws_wave *wave, u32 slot, struct ws_error *error)
{
    const struct ws_job job = {.state = (u64)slot * wave->state_words};
    return ws_cl_write(wave->run->cl, wave->jobs, slot * sizeof job, sizeof job, &job, error);
}

/* Makes slots as large as the jobs that want room will be, and moves all jobs in flight. No launch is running. */
static enum ws_status make_room(struct ws_wave *wave, struct ws_error *error)
{
    struct ws_cl_buffer *const from = wave->state;
    const u32 before = wave->state_words;
    u32 *const words = malloc(before * sizeof *words);
    if (!words)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a simulation of %u KB", before / 256);
    for (u32 slot = 0; slot < wave->slots; slot++)
        if (wave->slot[slot] && wave->heads[slot].wants_room)
            wave->state_words = ws_max(wave->state_words, slot_words(grown(&wave->slot[slot]->job)));
    const u64 bytes = (u64)wave->slots * wave->state_words * sizeof(u32);
    wave->state = NULL;
    enum ws_status status = ws_cl_buffer_new(wave->run->cl, bytes, &wave->state, error);
    if (status == WS_STATUS_ok)
        status = ws_cl_zero(wave->run->cl, wave->state, 0, bytes, error);
    for (u32 slot = 0; slot < wave->slots && status == WS_STATUS_ok; slot++)
        status = wave->slot[slot] ? move_state(wave, slot, from, (u64)slot * before, words, error) : move_free(wave, slot, error);
    ws_cl_buffer_free(from);
    free(words);
    return status;
}

/* Waits for the launch of a half, and takes the results. A launch takes its time from when it could begin. */
static enum ws_status end_slice(struct ws_wave *wave, struct ws_half *half, struct ws_error *error)
{
    WS_TRY(ws_cl_wait(&half->running, error));
    const double now = ws_seconds_now(), began = half->began > wave->ended ? half->began : wave->ended;
    const double share = (now - began) / half->in_flight;
    wave->ended = now;
    adapt_slice(wave->run, now - began);
    for (u32 slot = half->first; slot < half->first + half->slots; slot++)
        if (wave->slot[slot])
            WS_TRY(collect(wave, half, slot, share, error));
    return WS_STATUS_ok;
}

/* Ends what runs. */
static enum ws_status end_slices(struct ws_wave *wave, struct ws_error *error)
{
    for (u32 n = 0; n < wave->halves; n++)
        if (wave->half[n].running.count > 0)
            WS_TRY(end_slice(wave, &wave->half[n], error));
    return WS_STATUS_ok;
}

/* The last jobs, too few for two halves, run in one launch again. */
static enum ws_status join_halves(struct ws_wave *wave, struct ws_error *error)
{
    WS_TRY(end_slices(wave, error));
    wave->halves = 1;
    wave->half[0] = (struct ws_half){.slots = wave->slots, .in_flight = wave->in_flight};
    return WS_STATUS_ok;
}

static bool too_few_for_halves(const struct ws_wave *wave)
{
    return wave->halves == 2 && wave->next == wave->count && wave->in_flight / 2 < wave->at_once;
}

static enum ws_status run_slices(struct ws_wave *wave, struct ws_error *error)
{
    const struct ws_run *const run = wave->run;
    for (u32 n = 0; n < wave->halves; n++)
        WS_TRY(begin_slice(wave, &wave->half[n], error));
    for (u32 turn = 0; wave->in_flight > 0; turn++) {
        struct ws_half *half = &wave->half[turn % wave->halves];
        if (half->in_flight == 0)
            continue;
        WS_TRY(end_slice(wave, half, error));
        if (wants_room(wave)) {
            WS_TRY(end_slices(wave, error));
            WS_TRY(make_room(wave, error));
            for (u32 n = 0; n < wave->halves; n++)
                if (half != &wave->half[n])
                    WS_TRY(begin_slice(wave, &wave->half[n], error));
        }
        if (too_few_for_halves(wave)) {
            WS_TRY(join_halves(wave, error));
            half = &wave->half[0];
        }
        WS_TRY(ws_run_progress(run, error));
        WS_TRY(begin_slice(wave, half, error));
    }
    return WS_STATUS_ok;
}

/* After a run that ended before its time: nothing that has begun may outlive what it reads and writes. */
static void drain(struct ws_wave *wave)
{
    for (u32 n = 0; n < wave->halves; n++)
        ws_cl_wait(&wave->half[n].running, NULL);
    ws_cl_drain(wave->run->cl);
}

/* Jobs in flight as if they had never begun. */
static void forget_unfinished(struct ws_wave *wave)
{
    for (u32 slot = 0; slot < wave->slots; slot++) {
        if (!wave->slot[slot])
            continue;
        struct ws_job_result *const result = wave->slot[slot]->result;
        wave->run->warp_instructions -= result->counters[WS_COUNT_warp_instructions];
        ws_job_result_free(result);
        *result = (struct ws_job_result){.status = WS_STATUS_running};
    }
}

enum ws_status ws_wave_run(struct ws_wave *wave, struct ws_error *error)
{
    const enum ws_status status = run_slices(wave, error);
    if (status != WS_STATUS_ok)
        drain(wave);
    if (status != WS_STATUS_ok && status != WS_STATUS_interrupted)
        forget_unfinished(wave);
    return status;
}
