/* The log of a run's slots. */
#include <stdlib.h>
#include <string.h>

#include "oracle/sm.h"

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

void oracle_log_free(struct oracle_log *log)
{
    free(log->events);
    free(log->states);
    free(log->times);
    free(log->warps);
    free(log->windows);
    log->events = NULL;
    log->states = NULL;
    log->times = NULL;
    log->warps = NULL;
    log->windows = NULL;
    log->window_count = 0;
    log->event_count = log->state_count = 0;
}
