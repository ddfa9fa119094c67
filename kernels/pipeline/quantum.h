/* A quantum of one job: loads its state, simulates at most so many cycles, stores its state. */
#ifndef WS_PIPELINE_QUANTUM_H
#define WS_PIPELINE_QUANTUM_H

#include "pipeline/pipeline.h"
#include "state/keep.h"

/* Where the data of a job lie; the native engine fills it in itself. */
struct sm_buffers {
    GLOBAL const struct ws_instruction *program;
    GLOBAL const struct ws_group *groups;
    GLOBAL const u32 *words;
    GLOBAL u32 *state;
    GLOBAL u32 *records; /* used when the job records times or a timeline */
};

/* Offsets of a job as pointers into the device's buffers. */
static inline struct sm_buffers sm_buffers_of(GLOBAL const struct ws_job *job, GLOBAL const u32 *trace, GLOBAL u32 *state,
                                              GLOBAL u32 *records)
{
    struct sm_buffers buffers;
    buffers.program = (GLOBAL const struct ws_instruction *)(trace + job->program);
    buffers.groups = (GLOBAL const struct ws_group *)(trace + job->groups);
    buffers.words = trace + job->words;
    buffers.state = state + job->state;
    buffers.records = records;
    return buffers;
}

/* Length of a quantum, cut where a window of SM dueling ends (docs/model/dispatch.md). */
static inline u32 cycles_of_quantum(GLOBAL const struct ws_job *job, u64 base, u32 quantum)
{
    return job->window == 0 ? quantum : ws_min(quantum, job->window - (u32)(base % job->window));
}

static inline void sm_open(PRIVATE struct sm *sm, LOCAL struct sm_local *scratch, GLOBAL const struct ws_job *job,
                           PRIVATE const struct sm_buffers *buffers, u32 quantum)
{
    sm->scratch = scratch;
    sm->job = job;
    sm->machine = &job->machine;
    sm->plan = &job->plan;
    sm->program = buffers->program;
    sm->groups = buffers->groups;
    sm->words = buffers->words;
    sm->head = (GLOBAL struct ws_head *)buffers->state;
    state_open(sm);
    sm->records = buffers->records;
    sm->status = sm->head->status;
    sm->now = quantum_start(sm);
    sm->end = sm->now + cycles_of_quantum(job, sm->head->base, quantum);
    readmit(sm);
    sm->port = 0;
    sm->events = sm->changed = 0;
    sm->skip_backoff = PLAN(sm, entry) == 1 && !is_recorded(sm, WS_EVENT_issue) ? 0 : WS_NEVER;
}

/* Clears the quantum's counters. */
static inline void clear_counters(PRIVATE struct sm *sm)
{
    if (lane_first()) {
        for (u32 n = 0; n < WS_COUNTERS; ++n)
            sm->scratch->counters[n] = 0;
        for (u32 n = 0; n < WS_SLOTS; ++n)
            sm->scratch->pushes[n] = sm->scratch->pops[n] = 0;
        clear_tallies(sm);
    }
    lanes_fence(&sm->lanes);
}

/* The first quantum: the first blocks enter before cycle 0. */
static inline void first_quantum(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (lane_first())
        pipeline_open(sm);
    sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    sm->changed = CHANGED_BLOCKS; /* all blocks that fit enter */
    dispatch(sm, lanes, sm->now);
    lanes_fence(&sm->lanes);
}

/* Sum of consecutive counters. */
static inline u32 sum_counters(LOCAL const u32 *counters, u32 bins)
{
    u32 sum = 0;
    for (u32 n = 0; n < bins; ++n)
        sum += counters[n];
    return sum;
}

/* Writes the quantum's counters, derived ones included, and the job's head. First lane only. */
static inline void write_head(PRIVATE struct sm *sm)
{
    LOCAL u32 *counters = sm->scratch->counters;
    count_tallies(sm);
    counters[WS_COUNT_cycles] = cycles_so_far(sm);
    counters[WS_COUNT_warp_instructions] = sum_counters(counters + WS_COUNT_active_lanes, 33);
    counters[WS_COUNT_thread_instructions] = sum_counters(counters + WS_COUNT_thread_class, WS_CLASSES);
    pipeline_totals(sm);
    uses_close(sm);
    counters[WS_COUNT_stack_pushes] += sum_counters(sm->scratch->pushes, WS_SLOTS);
    counters[WS_COUNT_stack_pops] += sum_counters(sm->scratch->pops, WS_SLOTS);
    for (u32 n = 0; n < WS_COUNTERS; ++n)
        sm->head->counters[n] = counters[n];
    sm->head->base += counters[WS_COUNT_cycles];
    sm->head->events = sm->events;
    sm->head->status = sm->status & ws_bits_below(STATUS_BITS);
    sm->head->overflowed = sm->status >> STATUS_BITS;
    sm->head->started = 1;
    sm->head->wants_room = sm->status == WS_STATUS_running && pipeline_wants_room(sm);
}

/* Simulates to the end of the quantum or of the job. */
static inline void run(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 room =
        LANE_COPIES > 1 ? 0 : sm->job->timeline_room; /* with one work-item per lane a mark at each record costs registers */
    while (sm->status == WS_STATUS_running && sm->now < sm->end && (room == 0 || sm->events + EVENTS_A_CYCLE <= room) &&
           !(sm->changed & (CHANGED_ROOM | CHANGED_TIMELINE))) {
        if (sm->now >= sm->deadline)
            sm->status = WS_STATUS_deadlock;
        else
            cycle(sm, lanes);
    }
}

/* Advances a running job by at most quantum cycles; leaves any other job unchanged. */
static inline void run_quantum(LOCAL struct sm_local *scratch, GLOBAL const struct ws_job *job,
                               PRIVATE const struct sm_buffers *buffers, u32 quantum)
{
    struct sm sm;
    struct sm_lanes lanes;
    sm_open(&sm, scratch, job, buffers, quantum);
    if (sm.status != WS_STATUS_running)
        return;
    lanes_open(&sm.lanes, &scratch->lanes);
    clear_counters(&sm);
    keep_load(&sm, &lanes);
    if (!sm.head->started)
        first_quantum(&sm, &lanes);
    run(&sm, &lanes);
    lanes_fence(&sm.lanes);
    if (sm.status == WS_STATUS_running && lane_first())
        pipeline_rebase(&sm, quantum_elapsed(&sm));
    keep_store(&sm, &lanes);
    lanes_fence(&sm.lanes);
    if (lane_first())
        write_head(&sm);
}

#endif
