/* The log of a run's slots. */
#include <stdlib.h>
#include <string.h>

#include "oracle/memory/memory.h"

static struct oracle_event *next_event(struct sm *sm, enum oracle_kind kind)
{
    struct oracle_log *log = sm->log;
    log->events = oracle_grow(log->events, log->event_count, sizeof *log->events);
    struct oracle_event *event = &log->events[log->event_count++];
    memset(event, 0, sizeof *event);
    event->cycle = sm->now;
    event->kind = kind;
    return event;
}

/* Number in its warp or compaction block; in its block where threads issue. */
static u16 number_of(const struct sm *sm, const struct thread *thread)
{
    if (sm->rules.path->pool)
        return (u16)thread->number;
    const u32 lanes = sm->machine->core_warp_size < WS_LANES ? sm->machine->core_warp_size : WS_LANES;
    return (u16)(thread->row * lanes + thread->lane);
}

void log_issue(struct sm *sm, const struct packet *packet)
{
    if (!sm->log || !sm->log->want_events)
        return;
    struct oracle_event *event = next_event(sm, ORACLE_ISSUE);
    event->warp = packet->slot;
    event->pc = packet->pc;
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        event->lanes |= packet->thread[lane] ? 1u << lane : 0;
        event->thread[lane] = packet->thread[lane] ? number_of(sm, packet->thread[lane]) : ORACLE_NO_THREAD;
    }
}

void log_lost(struct sm *sm, enum oracle_kind kind)
{
    if (sm->log && sm->log->want_events)
        next_event(sm, kind);
}

void log_moment_after(struct sm *sm)
{
    struct oracle_log *const log = sm->log;
    if (log && log->moment_count > 0)
        memcpy(log->moments[log->moment_count - 1].later, sm->counters, sizeof log->moments->later);
}

void log_moment(struct sm *sm)
{
    struct oracle_log *const log = sm->log;
    if (!log || log->interval == 0)
        return;
    if (sm->now > 0 && (sm->now - 1) % log->interval == 0)
        log_moment_after(sm);
    if (sm->now % log->interval != 0)
        return;
    log->moments = oracle_grow(log->moments, log->moment_count, sizeof *log->moments);
    struct oracle_moment *const moment = &log->moments[log->moment_count++];
    memset(moment, 0, sizeof *moment);
    memcpy(moment->counters, sm->counters, sizeof moment->counters);
    moment->counters[WS_COUNT_cycles] = sm->now;
    moment->gauges[WS_GAUGE_warps_at_end] = (u32)(sm->warps_entered - sm->counters[WS_COUNT_warps_done]);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        moment->gauges[WS_GAUGE_barrier_warps_at_end] += sm->warps[slot].state == WARP_RUNS && sm->warps[slot].at_barrier;
    moment->gauges[WS_GAUGE_mshrs_at_end] = memory_data_reads(sm);
}

void oracle_log_free(struct oracle_log *log)
{
    free(log->events);
    free(log->states);
    free(log->times);
    free(log->warps);
    free(log->windows);
    free(log->moments);
    log->events = NULL;
    log->states = NULL;
    log->times = NULL;
    log->warps = NULL;
    log->windows = NULL;
    log->moments = NULL;
    log->moment_count = 0;
    log->window_count = 0;
    log->event_count = log->state_count = 0;
}
