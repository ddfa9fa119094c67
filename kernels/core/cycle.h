/* One SM, cycle by cycle: the steps of docs/model.md 2 in their order. */
#ifndef WS_CORE_CYCLE_H
#define WS_CORE_CYCLE_H

#if WS_DIVERGENCE == 0
#include "divergence/pdom.h"
#elif WS_DIVERGENCE == 1
#include "divergence/lwm.h"
#else
#include "divergence/tbc.h"
#endif

/* First cycle after this one, whose slot is lost, that is not like this one for other reasons than memory. */
static inline u32 next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 next = sm->changed ? sm->now + 1 : unit_next_event(sm, lanes);
    if (sm->select_at > sm->now)
        next = ws_min(next, sm->select_at);
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
    record_event(sm, cycles, kind, 0, 0, 0);
}

/* Does this cycle, and all after it that are like it. */
static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    fill(sm, lanes);
    unit_complete(sm, lanes);
    if (sm->blocks_ended == sm->job->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    dispatch(sm, lanes, sm->now + 1);
    const u32 selectable = unit_selectable(sm, lanes);
    policy_rotate(sm, unit_awaiting(sm, selectable));
    const u32 slot = unit_select(sm, lanes, selectable);
    if (sm->status != WS_STATUS_running)
        return;
    u32 next = sm->now + 1;
    if (slot == SLOT_ISSUED)
        sm->deadline = sm->now + sm->machine->core_watchdog;
    else
        next = next_event(sm, lanes);
    drain_writes(sm, ws_min(next + 1, sm->deadline)); /* those that end in the next one too: fills are its first step */
    if (slot != SLOT_ISSUED) {
        next = ws_min(next, sm->fill_at);
        count_lost(sm, slot, next);
    }
    sm->now = next;
}

/* Advances to the end of the slice, or of the job. */
static inline void run(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 room = sm->job->timeline_room;
    while (sm->status == WS_STATUS_running && sm->now < sm->end && (room == 0 || sm->events + 2 <= room)) {
        if (sm->now >= sm->deadline)
            sm->status = WS_STATUS_deadlock;
        else
            cycle(sm, lanes);
    }
}

#endif
