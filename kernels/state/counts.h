/* Counters and the timeline. */
#ifndef WS_STATE_COUNTS_H
#define WS_STATE_COUNTS_H

#include "state/sm.h"

static inline void count(PRIVATE struct sm *sm, u32 counter, u32 n)
{
    if (lane_first())
        sm->scratch->counters[counter] += n;
}

static inline void count_most(PRIVATE struct sm *sm, u32 counter, u32 n)
{
    if (lane_first())
        sm->scratch->counters[counter] = ws_max(sm->scratch->counters[counter], n);
}

/* A packet of lanes active lanes (guard true), and threads thread instructions with it (false guards included). */
static inline void count_issue(PRIVATE struct sm *sm, PRIVATE const struct ws_instruction *instruction, u32 threads, u32 lanes)
{
    LOCAL u32 *counters = sm->scratch->counters;
    lanes_add(&counters[WS_COUNT_active_lanes + ws_min(lanes, 32)], 1);
    lanes_add(&counters[WS_COUNT_warp_class + instruction->class_], 1);
    lanes_add(&counters[WS_COUNT_thread_class + instruction->class_], threads);
    lanes_add(&counters[WS_COUNT_register_reads], instruction->reads * lanes);
    lanes_add(&counters[WS_COUNT_register_writes], instruction->writes * lanes);
    if (instruction->space == WS_SPACE_local && lanes != 0)
        lanes_add(&counters[WS_COUNT_private_accesses], 1);
}

/* Adds an event to the timeline of the slice. */
static inline void record_event(PRIVATE struct sm *sm, u32 cycles, u32 kind, u32 warp, u32 pc, u32 mask)
{
    if (sm->job->timeline_room == 0)
        return;
    if (lane_first()) {
        const struct ws_event event = {sm->now - WS_SLICE_START, cycles, kind, warp, pc, mask};
        ((GLOBAL struct ws_event *)(sm->records + sm->job->timeline))[sm->events] = event;
    }
    sm->events += 1;
}

#endif
