#include "engine/opencl/batch.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "engine/events.h"
#include "engine/accumulate.h"
#include "engine/jobs/dueling.h"
#include "engine/state.h"
#include "shared/state.h"

enum {
    SLOT_WORDS = 32, /* slots start at multiples of these */
    SHORTEST_QUANTUM = 1 << 10
};

/* Duration of a launch in seconds below which quanta are doubled; above the other they are halved. */
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

/* Allocated words of a slot for so many words. */
static u32 slot_words(u32 words)
{
    return (words + SLOT_WORDS - 1) / SLOT_WORDS * SLOT_WORDS;
}

/* Words of a job's state after it has grown. */
static u32 grown(const struct ws_job *job)
{
    struct ws_job copy = *job;
    ws_plan_grow(&copy);
    return copy.plan.state_words;
}

/* Kinds of events that the job records. */
static u32 recorded(const struct ws_batch *batch, const struct ws_job *job)
{
    return ws_events_wanted(&job->machine, batch->run->times, batch->run->watch);
}

/* Allocation of a slot: what the most demanding task needs. */
static void measure(struct ws_batch *batch)
{
    for (size_t n = 0; n < batch->count; n++) {
        const struct ws_job *const job = &batch->tasks[n].job;
        batch->state_words = ws_max(batch->state_words, job->plan.state_words);
        if (batch->run->times)
            batch->times_words = most(batch->times_words, ws_times_bytes(job) / sizeof(u32));
        if (recorded(batch, job))
            batch->timeline_room = WS_EVENTS_LEAST;
    }
    batch->state_words = slot_words(batch->state_words);
}

static u64 record_words(const struct ws_batch *batch)
{
    return batch->times_words + (u64)batch->timeline_room * event_words();
}

static u64 least(u64 a, u64 b)
{
    return a < b ? a : b;
}

/* Number of slots: as many as tasks, within the limits; 0 if there is no room for one. */
static u32 count_slots(const struct ws_batch *batch, const struct ws_limits *limits)
{
    const u64 traces = batch->run->traces ? batch->run->trace_bytes : ws_trace_bytes(batch->tasks, batch->count);
    const u64 state = (u64)batch->state_words * sizeof(u32), records = record_words(batch) * sizeof(u32);
    const u64 rest = limits->memory > traces ? limits->memory - traces : 0;
    u64 slots = least(batch->count, limits->slots);
    slots = least(slots, rest / (state + records + sizeof(struct ws_job)));
    slots = least(slots, limits->allocation / state);
    return (u32)(records ? least(slots, limits->allocation / records) : slots);
}

/* Double-buffered halves, if each half can fill the device. Events and gauges are read between quanta. */
static void halve(struct ws_batch *batch)
{
    const bool read = batch->timeline_room || batch->run->watch->gauges;
    batch->halves = batch->slots > 1 && batch->slots / 2 >= batch->at_once && !read ? 2 : 1;
    batch->half[0].slots = batch->halves == 2 ? batch->slots / 2 : batch->slots;
    batch->half[1].first = batch->half[0].slots;
    batch->half[1].slots = batch->slots - batch->half[0].slots;
}

/* Writes all of the device's memory, because drivers allocate on first use; lack of memory shows here. */
static enum ws_status make_buffers(struct ws_batch *batch, struct ws_error *error)
{
    struct ws_cl *const cl = batch->run->cl;
    const u64 state = (u64)batch->slots * batch->state_words * sizeof(u32), jobs = batch->slots * sizeof(struct ws_job);
    const u64 records = (SLOT_WORDS + batch->slots * record_words(batch)) * sizeof(u32); /* never empty */
    if (!batch->run->traces)
        WS_TRY(ws_trace_buffer_new(cl, batch->tasks, batch->count, &batch->traces, error));
    WS_TRY(ws_cl_buffer_new(cl, jobs, &batch->jobs, error));
    WS_TRY(ws_cl_buffer_new(cl, state, &batch->state, error));
    WS_TRY(ws_cl_buffer_new(cl, records, &batch->records, error));
    WS_TRY(ws_cl_zero(cl, batch->records, 0, records, error));
    WS_TRY(ws_cl_zero(cl, batch->jobs, 0, jobs, error));
    WS_TRY(ws_cl_zero(cl, batch->state, 0, state, error));
    void *heads = NULL;
    const enum ws_status status = ws_cl_host_new(cl, batch->slots * sizeof *batch->heads, &batch->heads_buffer, &heads, error);
    batch->heads = heads;
    return status;
}

enum ws_status ws_batch_open(struct ws_batch *batch, struct ws_run *run, const struct ws_device_program *program,
                             struct ws_task *tasks, size_t count, const struct ws_limits *limits, struct ws_error *error)
{
    *batch = (struct ws_batch){.run = run, .program = program, .tasks = tasks, .count = count};
    measure(batch);
    batch->slots = count_slots(batch, limits);
    if (batch->slots == 0)
        return ws_fail(error, WS_STATUS_no_memory,
                       "the device has no room for one simulation of %u KB beside its trace; take --engine native, or more shards",
                       batch->state_words / 256);
    batch->at_once = limits->at_once;
    halve(batch);
    batch->slot = calloc(batch->slots, sizeof(struct ws_task *));
    batch->entered = calloc(batch->slots, sizeof *batch->entered);
    batch->events = calloc(ws_max(1, batch->timeline_room), sizeof *batch->events);
    if (!batch->slot || !batch->entered || !batch->events)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u simulations in flight", batch->slots);
    return make_buffers(batch, error);
}

void ws_batch_close(struct ws_batch *batch)
{
    ws_cl_buffer_free(batch->jobs);
    ws_cl_buffer_free(batch->traces);
    ws_cl_buffer_free(batch->state);
    ws_cl_buffer_free(batch->records);
    ws_cl_buffer_free(batch->heads_buffer);
    free(batch->slot);
    free(batch->entered);
    free(batch->events);
    *batch = (struct ws_batch){.run = NULL};
}

bool ws_batch_shrink(const struct ws_batch *batch, struct ws_limits *limits)
{
    const u64 trace = ws_trace_bytes(batch->tasks, 1);
    if (batch->slots > 1)
        limits->slots = batch->slots / 2;
    else if (ws_trace_bytes(batch->tasks, batch->count) > trace)
        limits->trace = trace;
    else
        return false;
    return true;
}

/* ---- Slots ---- */

static u64 times_at(const struct ws_batch *batch, u32 slot)
{
    return slot * record_words(batch);
}

/* Copies the job in a slot to the device; unchanged until the next launch. */
static enum ws_status write_job(const struct ws_batch *batch, u32 slot, struct ws_error *error)
{
    const struct ws_job *const job = &batch->slot[slot]->job;
    return ws_cl_begin_write(batch->run->cl, batch->jobs, slot * sizeof *job, sizeof *job, job, error);
}

/* The next task that the watch wants; NULL for none. */
static struct ws_task *take(struct ws_batch *batch)
{
    const struct ws_engine_watch *const watch = batch->run->watch;
    while (batch->next < batch->count) {
        struct ws_task *const task = &batch->tasks[batch->next++];
        if (!watch->wanted || watch->wanted(watch->context, task->number))
            return task;
        task->result->status = WS_STATUS_interrupted;
        batch->run->done++;
    }
    return NULL;
}

/* Puts the next task into a free slot, for write_entered; returns whether there is one. */
static bool enter(struct ws_batch *batch, struct ws_half *half, u32 slot)
{
    struct ws_task *const task = take(batch);
    if (!task)
        return false;
    task->job.state = (u64)slot * batch->state_words;
    task->job.times = batch->times_words ? times_at(batch, slot) : WS_NO_RECORDS;
    task->job.timeline = batch->timeline_room ? times_at(batch, slot) + batch->times_words : WS_NO_RECORDS;
    task->job.timeline_room = batch->timeline_room;
    task->job.recorded = recorded(batch, &task->job);
    ws_dueling_begin(&task->spec, &task->job);
    batch->slot[slot] = task;
    batch->entered[slot] = task->job;
    batch->heads[slot] = (struct ws_head){.status = WS_STATUS_running};
    batch->in_flight++;
    half->in_flight++;
    return true;
}

/* Writes the jobs of newly filled slots and their initial states, without waiting: the host data stay valid until the half's launch
 * has ended. */
static enum ws_status write_entered(struct ws_batch *batch, u32 first, u32 count, struct ws_error *error)
{
    struct ws_cl *const cl = batch->run->cl;
    const u64 state = batch->state_words * sizeof(u32);
    const struct ws_head *const heads = batch->heads + first;
    const struct ws_job *const jobs = batch->entered + first;
    WS_TRY(ws_cl_zero(cl, batch->state, first * state, count * state, error));
    WS_TRY(ws_cl_begin_write_rows(cl, batch->state, state, first, count, offsetof(struct ws_head, counters), heads, sizeof *heads,
                                  error));
    return ws_cl_begin_write(cl, batch->jobs, first * sizeof *jobs, count * sizeof *jobs, jobs, error);
}

/* Adjacent free slots are written together: one command for each takes a GPU driver longer than a quantum. */
static enum ws_status fill_slots(struct ws_batch *batch, struct ws_half *half, struct ws_error *error)
{
    const u32 end = half->first + half->slots;
    for (u32 slot = half->first; slot < end; slot++) {
        const u32 first = slot;
        while (slot < end && !batch->slot[slot] && enter(batch, half, slot))
            slot++;
        if (slot > first)
            WS_TRY(write_entered(batch, first, slot - first, error));
    }
    return WS_STATUS_ok;
}

/* ---- After a quantum ---- */

/* Events of a restarted job are not delivered again. */
static enum ws_status pass_events(struct ws_batch *batch, u32 slot, struct ws_error *error)
{
    struct ws_task *const task = batch->slot[slot];
    const u32 count = ws_min(batch->heads[slot].events, batch->timeline_room);
    const u64 base = task->result->counters[WS_COUNT_cycles];
    const struct ws_event_sink sink = {
        .watch = batch->run->watch, .job = task->number, .from = task->shown, .result = batch->run->times ? task->result : NULL};
    if (count == 0)
        return WS_STATUS_ok;
    WS_TRY(ws_cl_read(batch->run->cl, batch->records, task->job.timeline * sizeof(u32), count * sizeof *batch->events,
                      batch->events, error));
    WS_TRY(ws_events_pass(&sink, base, batch->events, count, error));
    task->shown = most(task->shown, base + batch->heads[slot].counters[WS_COUNT_cycles]);
    return WS_STATUS_ok;
}

/* Reports the gauges of a slot. */
static enum ws_status pass_gauges(const struct ws_batch *batch, u32 slot, struct ws_error *error)
{
    const struct ws_task *const task = batch->slot[slot];
    const u32 words = task->job.plan.state_words;
    u32 *const state = malloc(words * sizeof *state);
    if (!state)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a simulation of %u KB", words / 256);
    const enum ws_status status =
        ws_cl_read(batch->run->cl, batch->state, task->job.state * sizeof *state, words * sizeof *state, state, error);
    if (status == WS_STATUS_ok)
        ws_state_report(batch->run->watch, task->number, &task->job, state);
    free(state);
    return status;
}

static enum ws_status read_times(struct ws_batch *batch, const struct ws_task *task, struct ws_error *error)
{
    task->result->warps_per_block = task->job.plan.warps_per_block;
    if (!batch->run->times)
        return WS_STATUS_ok;
    WS_TRY(ws_times_allocate(&task->job, task->result, error));
    return ws_cl_read(batch->run->cl, batch->records, task->job.times * sizeof(u32), ws_times_bytes(&task->job),
                      task->result->times, error);
}

static enum ws_status leave(struct ws_batch *batch, struct ws_half *half, u32 slot, struct ws_error *error)
{
    const struct ws_task *const task = batch->slot[slot];
    const struct ws_engine_watch *const watch = batch->run->watch;
    WS_TRY(read_times(batch, task, error));
    ws_job_end(&task->job.machine, &batch->heads[slot], task->result);
    if (watch->finished)
        watch->finished(watch->context, task->number, task->result);
    batch->slot[slot] = NULL;
    batch->in_flight--;
    half->in_flight--;
    batch->run->done++;
    return WS_STATUS_ok;
}

static enum ws_status collect(struct ws_batch *batch, struct ws_half *half, u32 slot, double seconds, struct ws_error *error)
{
    const struct ws_head *const head = &batch->heads[slot];
    struct ws_task *const task = batch->slot[slot];
    struct ws_job_result *const result = task->result;
    if (batch->timeline_room)
        WS_TRY(pass_events(batch, slot, error));
    if (batch->run->watch->gauges)
        WS_TRY(pass_gauges(batch, slot, error));
    ws_quantum_report(batch->run->watch, task->number, result->counters[WS_COUNT_cycles], head->counters);
    ws_accumulate_counters(result->counters, head->counters);
    result->seconds += seconds;
    batch->run->warp_instructions += head->counters[WS_COUNT_warp_instructions];
    if (ws_dueling_step(&task->spec, &task->job, head))
        WS_TRY(write_job(batch, slot, error));
    return head->status == WS_STATUS_running ? WS_STATUS_ok : leave(batch, half, slot, error);
}

/* Keeps launches long relative to their overhead, and short relative to the patience of users and of display drivers. With events
 * the length stays: quanta cut the events, and a restarted job must have the same cuts. */
static void adapt_quantum(struct ws_run *run, double seconds)
{
    if (!run->quantum_adapts || run->watch->event)
        return;
    if (seconds < SHORT_LAUNCH && run->quantum < WS_QUANTUM_MOST)
        run->quantum *= 2;
    else if (seconds > LONG_LAUNCH && run->quantum > SHORTEST_QUANTUM)
        run->quantum /= 2;
}

/* Cycles of the next quantum of a half: no job passes an interval of the watch. */
static u32 next_quantum(const struct ws_batch *batch, const struct ws_half *half)
{
    u32 quantum = batch->run->quantum;
    for (u32 slot = half->first; slot < half->first + half->slots; slot++)
        if (batch->slot[slot])
            quantum = ws_quantum_until(batch->run->watch, batch->slot[slot]->result->counters[WS_COUNT_cycles], quantum);
    return quantum;
}

/* Fills free slots of a half and starts a launch for all its jobs. */
static enum ws_status begin_quantum(struct ws_batch *batch, struct ws_half *half, struct ws_error *error)
{
    struct ws_run *const run = batch->run;
    WS_TRY(fill_slots(batch, half, error));
    const struct ws_cl_argument arguments[] = {{.buffer = batch->jobs},  {.buffer = batch->traces ? batch->traces : run->traces},
                                               {.buffer = batch->state}, {.buffer = batch->records},
                                               {.number = half->first},  {.number = next_quantum(batch, half)}};
    if (half->in_flight == 0)
        return WS_STATUS_ok;
    half->began = ws_seconds_now();
    WS_TRY(ws_cl_begin_launch(run->cl, batch->program->program, "sm_quantum", arguments, sizeof arguments / sizeof *arguments,
                              half->slots, batch->program->form->work_items, &half->running, error));
    return ws_cl_begin_read_rows(run->cl, batch->state, batch->state_words * sizeof(u32), half->first, half->slots,
                                 sizeof *batch->heads, batch->heads + half->first, &half->running, error);
}

/* ---- Room for requests ---- */

static bool wants_room(const struct ws_batch *batch)
{
    for (u32 slot = 0; slot < batch->slots; slot++)
        if (batch->slot[slot] && batch->heads[slot].wants_room)
            return true;
    return false;
}

/* Moves the state of the job in a slot from one buffer to the slot's place in another. */
static enum ws_status move_state(struct ws_batch *batch, u32 slot, struct ws_cl_buffer *from, u64 place, u32 *words,
                                 struct ws_error *error)
{
    struct ws_task *const task = batch->slot[slot];
    const u64 bytes = task->job.plan.state_words * sizeof(u32);
    struct ws_cl *const cl = batch->run->cl;
    WS_TRY(ws_cl_read(cl, from, place * sizeof(u32), bytes, words, error));
    if (batch->heads[slot].wants_room)
        ws_plan_grow(&task->job);
    batch->heads[slot].wants_room = 0; /* until the slot's next quantum has been read */
    task->job.state = (u64)slot * batch->state_words;
    WS_TRY(ws_cl_write(cl, batch->state, task->job.state * sizeof(u32), bytes, words, error));
    return ws_cl_write(cl, batch->jobs, slot * sizeof task->job, sizeof task->job, &task->job, error);
}

/* The job of a free slot has ended, but its group still reads the status at the state's address: point it to the slot's place in
 * the new buffer, which is zero. The old place may be inside another job's state. */
static enum ws_status move_free(struct ws_batch *batch, u32 slot, struct ws_error *error)
{
    const struct ws_job job = {.state = (u64)slot * batch->state_words};
    return ws_cl_write(batch->run->cl, batch->jobs, slot * sizeof job, sizeof job, &job, error);
}

/* Enlarges slots for the jobs that need room, and moves all jobs in flight. No launch is running. */
static enum ws_status make_room(struct ws_batch *batch, struct ws_error *error)
{
    struct ws_cl_buffer *const from = batch->state;
    const u32 before = batch->state_words;
    u32 *const words = malloc(before * sizeof *words);
    if (!words)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a simulation of %u KB", before / 256);
    for (u32 slot = 0; slot < batch->slots; slot++)
        if (batch->slot[slot] && batch->heads[slot].wants_room)
            batch->state_words = ws_max(batch->state_words, slot_words(grown(&batch->slot[slot]->job)));
    const u64 bytes = (u64)batch->slots * batch->state_words * sizeof(u32);
    batch->state = NULL;
    enum ws_status status = ws_cl_buffer_new(batch->run->cl, bytes, &batch->state, error);
    if (status == WS_STATUS_ok)
        status = ws_cl_zero(batch->run->cl, batch->state, 0, bytes, error);
    for (u32 slot = 0; slot < batch->slots && status == WS_STATUS_ok; slot++)
        status =
            batch->slot[slot] ? move_state(batch, slot, from, (u64)slot * before, words, error) : move_free(batch, slot, error);
    ws_cl_buffer_free(from);
    free(words);
    return status;
}

/* Waits for the launch of a half, and takes the results. Its duration counts from when it could start. */
static enum ws_status end_quantum(struct ws_batch *batch, struct ws_half *half, struct ws_error *error)
{
    WS_TRY(ws_cl_wait(&half->running, error));
    const double now = ws_seconds_now(), began = half->began > batch->ended ? half->began : batch->ended;
    const double share = (now - began) / half->in_flight;
    batch->ended = now;
    adapt_quantum(batch->run, now - began);
    for (u32 slot = half->first; slot < half->first + half->slots; slot++)
        if (batch->slot[slot])
            WS_TRY(collect(batch, half, slot, share, error));
    return WS_STATUS_ok;
}

/* Waits for the running launches. */
static enum ws_status end_quanta(struct ws_batch *batch, struct ws_error *error)
{
    for (u32 n = 0; n < batch->halves; n++)
        if (batch->half[n].running.count > 0)
            WS_TRY(end_quantum(batch, &batch->half[n], error));
    return WS_STATUS_ok;
}

/* When too few jobs remain for two halves, they run in one launch. */
static enum ws_status join_halves(struct ws_batch *batch, struct ws_error *error)
{
    WS_TRY(end_quanta(batch, error));
    batch->halves = 1;
    batch->half[0] = (struct ws_half){.slots = batch->slots, .in_flight = batch->in_flight};
    return WS_STATUS_ok;
}

static bool too_few_for_halves(const struct ws_batch *batch)
{
    return batch->halves == 2 && batch->next == batch->count && batch->in_flight / 2 < batch->at_once;
}

static enum ws_status run_slices(struct ws_batch *batch, struct ws_error *error)
{
    const struct ws_run *const run = batch->run;
    for (u32 n = 0; n < batch->halves; n++)
        WS_TRY(begin_quantum(batch, &batch->half[n], error));
    for (u32 turn = 0; batch->in_flight > 0; turn++) {
        struct ws_half *half = &batch->half[turn % batch->halves];
        if (half->in_flight == 0)
            continue;
        WS_TRY(end_quantum(batch, half, error));
        if (wants_room(batch)) {
            WS_TRY(end_quanta(batch, error));
            WS_TRY(make_room(batch, error));
            for (u32 n = 0; n < batch->halves; n++)
                if (half != &batch->half[n])
                    WS_TRY(begin_quantum(batch, &batch->half[n], error));
        }
        if (too_few_for_halves(batch)) {
            WS_TRY(join_halves(batch, error));
            half = &batch->half[0];
        }
        WS_TRY(ws_run_progress(run, error));
        WS_TRY(begin_quantum(batch, half, error));
    }
    return WS_STATUS_ok;
}

/* After an incomplete run: waits until no command uses the buffers. */
static void drain(struct ws_batch *batch)
{
    for (u32 n = 0; n < batch->halves; n++)
        ws_cl_wait(&batch->half[n].running, NULL);
    ws_cl_drain(batch->run->cl);
}

/* Resets jobs in flight to not started. */
static void forget_unfinished(struct ws_batch *batch)
{
    for (u32 slot = 0; slot < batch->slots; slot++) {
        if (!batch->slot[slot])
            continue;
        struct ws_job_result *const result = batch->slot[slot]->result;
        batch->run->warp_instructions -= result->counters[WS_COUNT_warp_instructions];
        ws_job_result_free(result);
        *result = (struct ws_job_result){.status = WS_STATUS_running};
    }
}

enum ws_status ws_batch_run(struct ws_batch *batch, struct ws_error *error)
{
    const enum ws_status status = run_slices(batch, error);
    if (status != WS_STATUS_ok)
        drain(batch);
    if (status != WS_STATUS_ok && status != WS_STATUS_interrupted)
        forget_unfinished(batch);
    return status;
}
