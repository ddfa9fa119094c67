/* One issue slot a cycle over single-level memory: the beginning and end of a cycle (docs/model/order.md). */
#ifndef WS_PIPELINE_PARTS_ISSUE_SLOT_H
#define WS_PIPELINE_PARTS_ISSUE_SLOT_H

#include "pipeline/parts/flight.h"
#include "skip/skip.h"

/* ---- Defined by the pipeline ---- */

/* Next cycle at which anything but memory can change state or the reason of the stall; slot: this cycle's outcome. */
static inline u32 next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot);

/* ---- Shared ---- */

/* Bursts that end in this cycle fill a cache and wake the warps that wait for them. */
static inline void fill(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct arrival arrival;
    while (sm->fill_at <= sm->now) {
        readmit(sm);
        memory_arrives(sm, &arrival);
        if (arrival.flags & WS_REQUEST_WRITE)
            continue;
        if (arrival.flags & WS_REQUEST_CODE) {
            path_wake(sm, lanes, arrival.waiting);
        } else {
            flight_data_arrives(sm, lanes, arrival.waiting);
        }
    }
}

/* Counts a run of stall slots up to next. */
static inline void count_stalls(PRIVATE struct sm *sm, u32 slot, u32 next)
{
    const u32 cycles = next - sm->now;
    const u32 kind = ws_min(slot, SLOT_PIPELINE);
    const u32 counter = kind == SLOT_IDLE         ? WS_COUNT_stall_idle
                        : kind == SLOT_SCOREBOARD ? WS_COUNT_stall_scoreboard
                                                  : WS_COUNT_stall_pipeline;
    count(sm, counter, cycles);
    if (slot == SLOT_QUEUE_FULL)
        count(sm, WS_COUNT_dram_queue_full, cycles);
    record_stall(sm, cycles, kind, sm->port);
}

/* Advances to the next cycle whose outcome can differ from this one's. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    u32 next = sm->now + 1;
    if (slot == SLOT_ISSUED)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    else
        next = skip_to(sm, next_event(sm, lanes, slot));
    dram_goes_on(sm, ws_min(next + 1, sm->deadline)); /* including the next cycle, whose first step is to fill */
    if (slot != SLOT_ISSUED) {
        next = ws_min(next, sm->fill_at);
        count_stalls(sm, slot, next);
    }
    sm->now = next;
}

/* ---- Interface of the pipeline ---- */

static inline void pipeline_open(PRIVATE struct sm *sm)
{
    dram_open(sm);
    flight_open(sm);
}

static inline u32 pipeline_wants_room(PRIVATE const struct sm *sm)
{
    return queue_crowded(sm) != 0;
}

static inline void pipeline_totals(PRIVATE struct sm *sm)
{
    count_code_hits(sm);
    LOCAL u32 *counters = sm->scratch->counters;
    if (dram_is_ddr(sm))
        return;
    const u32 requests = counters[WS_COUNT_dram_reads] + counters[WS_COUNT_dram_writes];
    const u32 of_code = counters[WS_COUNT_icache_misses] - counters[WS_COUNT_icache_merges];
    counters[WS_COUNT_row_conflicts] = requests - counters[WS_COUNT_row_hits];
    counters[WS_COUNT_dram_bytes] = (requests - of_code) * PLAN(sm, data_bytes) + of_code * MACHINE(sm, icache_line);
}

static inline void pipeline_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    dram_rebase(sm, elapsed);
    flight_rebase(sm, elapsed);
}

#endif
