/* Pipeline `barrel`: one SM, cycle by cycle, the steps of docs/model.md 2 in their order. */
#ifndef WS_PIPELINE_BARREL_CYCLE_H
#define WS_PIPELINE_BARREL_CYCLE_H

#if defined(WS_ISSUE_DYNAMIC)
#include "pipeline/barrel/dwf_issue.h"
#elif defined(WS_ISSUE_THREADS)
#include "pipeline/barrel/mimd_issue.h"
#else
#include "pipeline/barrel/issue.h"
#endif

/* Bursts that end in this cycle fill a cache and wake those who wait for them. */
static inline void fill(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct arrival arrival;
    while (sm->fill_at <= sm->now) {
        readmit(sm);
        memory_arrives(sm, &arrival);
        if (arrival.flags & WS_REQUEST_WRITE)
            continue;
        if (arrival.flags & WS_REQUEST_CODE) {
            path_wake(sm, lanes, arrival.tickets);
        } else {
            flight_data_arrives(sm, lanes, arrival.tickets);
        }
    }
}

/* Next cycle at which anything but memory can change state, or why the slots are lost, of which slot is one. Where no packet is
 * ready it does not matter when the port is free; where one waits for it, not when others become ready, unless the scheduler
 * rotates: of warps that no longer await, the first is promoted. */
static inline u32 next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 at_once = sm->changed & (CHANGED_STATE | CHANGED_ROOM);
    u32 next = at_once ? sm->now + 1 : flight_next_event(sm, lanes, slot == SLOT_PIPELINE && !policy_rotates(sm));
    if (sm->select_at > sm->now && (slot == SLOT_PIPELINE || PATH_SPLITS))
        next = ws_min(next, sm->select_at);
    next = ws_min(next, ws_min(policy_next(sm), dispatch_next(sm)));
    return ws_min(next, ws_min(sm->deadline, sm->end));
}

/* Counts a run of lost slots up to next. */
static inline void count_lost(PRIVATE struct sm *sm, u32 slot, u32 next)
{
    const u32 cycles = next - sm->now;
    const u32 kind = ws_min(slot, SLOT_PIPELINE);
    const u32 counter = kind == SLOT_IDLE         ? WS_COUNT_stall_idle
                        : kind == SLOT_SCOREBOARD ? WS_COUNT_stall_scoreboard
                                                  : WS_COUNT_stall_pipeline;
    count(sm, counter, cycles);
    if (slot == SLOT_QUEUE_FULL)
        count(sm, WS_COUNT_dram_queue_full, cycles);
    record_lost(sm, cycles, kind, sm->port);
}

/* To the next cycle that is not like this one. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    u32 next = sm->now + 1;
    if (slot == SLOT_ISSUED)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    else
        next = next_event(sm, lanes, slot);
    dram_goes_on(sm, ws_min(next + 1, sm->deadline)); /* the next one too: fills are its first step */
    if (slot != SLOT_ISSUED) {
        next = ws_min(next, sm->fill_at);
        count_lost(sm, slot, next);
    }
    sm->now = next;
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    fill(sm, lanes);
    path_admit(sm);
    if (flight_completes(sm, lanes))
        flight_releases(sm, lanes);
    if (last_block_ended(sm)) {
        sm->status = WS_STATUS_ok;
        return;
    }
    if (SLOTS_RETURN)
        policy_events(sm, lanes); /* of warps whose slots others may get */
    dispatch(sm, lanes, sm->now + 1);
    policy_events(sm, lanes);
    policy_tick(sm, lanes);
    const slot_set ready = path_ready(sm, lanes);
    policy_rotate(sm, lanes, awaiting(sm, ready));
    const u32 slot = issue(sm, lanes, policy_looks(sm, ready));
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, slot);
}

#endif
