/* What a run shows: slots and stacks. */
#include "oracle/sm.h"

#include <stdlib.h>
#include <string.h>

static u32 mask_of_lanes(const u16 thread[WS_LANES])
{
    u32 lanes = 0;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (thread[lane] != ORACLE_NO_THREAD)
            lanes |= 1u << lane;
    return lanes;
}

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

void log_issue(struct sm *sm, u32 warp, u32 pc, const u16 thread[WS_LANES])
{
    if (!sm->log || !sm->log->want_events)
        return;
    struct oracle_event *event = next_event(sm, ORACLE_ISSUE);
    event->warp = warp;
    event->pc = pc;
    event->lanes = mask_of_lanes(thread);
    memcpy(event->thread, thread, sizeof event->thread);
}

void log_lost(struct sm *sm, enum oracle_kind kind)
{
    if (sm->log && sm->log->want_events)
        next_event(sm, kind);
}

static u32 first_threads(const bool *mask)
{
    u32 bits = 0;
    for (u32 thread = 0; thread < 32; thread++)
        bits |= (u32)mask[thread] << thread;
    return bits;
}

void log_state(struct sm *sm, u32 slot)
{
    struct oracle_log *log = sm->log;
    if (!log || !log->want_states)
        return;
    const struct warp *warp = &sm->warps[slot];
    log->states = oracle_grow(log->states, log->state_count, sizeof *log->states);
    struct oracle_state *state = &log->states[log->state_count++];
    memset(state, 0, sizeof *state);
    state->cycle = sm->now;
    state->warp = slot;
    state->pc = warp->pc;
    state->mask = first_threads(warp->active);
    state->depth = warp->depth;
    for (u32 i = 0; i < warp->depth && i < ORACLE_LOGGED_ENTRIES; i++)
        state->stack[i] = (struct oracle_entry){
            .reconverge = warp->stack[i].reconverge, .execute = warp->stack[i].execute, .mask = first_threads(warp->stack[i].mask)};
}

void oracle_log_free(struct oracle_log *log)
{
    free(log->events);
    free(log->states);
    free(log->times);
    log->events = NULL;
    log->states = NULL;
    log->times = NULL;
    log->event_count = log->state_count = 0;
}
