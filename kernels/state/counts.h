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

/* The divergence stack of the warp in the slot overflows: the job ends. With one work-item per lane the slot is not recorded, which
 * would cost registers. */
static inline void stack_overflows(PRIVATE struct sm *sm, u32 slot)
{
    sm->status = WS_STATUS_stack_overflow | (LANE_COPIES > 1 ? slot : WS_NO_SLOT) << STATUS_BITS;
}

/* Whether lanes that execute an instruction are counted by its class and kind. */
static inline u32 is_arithmetic(GLOBAL const struct ws_instruction *instruction)
{
    return instruction->class_ <= WS_CLASS_sfu || instruction->class_ == WS_CLASS_tensor;
}

/* Counter of those lanes; matrix products have no kind. */
static inline u32 operation_bin(GLOBAL const struct ws_instruction *instruction)
{
    return instruction->class_ == WS_CLASS_tensor
               ? WS_COUNT_tensor_operations
               : WS_COUNT_lane_operations + instruction->class_ * (u32)WS_KINDS + instruction->kind;
}

/* Counts packets of an instruction that have active lanes; lanes: their active lanes in total (guard true); threads: thread
 * instructions (false guards included). */
static inline void count_packets(PRIVATE struct sm *sm, GLOBAL const struct ws_instruction *instruction, u32 packets, u32 threads,
                                 u32 lanes)
{
    LOCAL u32 *counters = sm->scratch->counters;
    lanes_add(&counters[WS_COUNT_thread_class + instruction->class_], threads);
    lanes_add(&counters[WS_COUNT_register_reads], instruction->reads * lanes);
    lanes_add(&counters[WS_COUNT_register_writes], instruction->writes * lanes);
    if (lanes == 0)
        return;
    if (instruction->space == WS_SPACE_local && !PATH_SLICES) /* slices count them together (pipeline/slices/ldst.h) */
        lanes_add(&counters[WS_COUNT_private_accesses], packets);
    lanes_add(&counters[WS_COUNT_operand_reads], instruction->reads * packets);
    lanes_add(&counters[WS_COUNT_operand_writes], instruction->writes * packets);
    if (is_arithmetic(instruction))
        lanes_add(&counters[operation_bin(instruction)], lanes);
}

/* Counts a packet of the instruction at pc: lanes active lanes, threads thread instructions. In form loop most pcs only keep a
 * tally, from which counters are computed at the end of the quantum. */
static inline void count_issue(PRIVATE struct sm *sm, u32 pc, GLOBAL const struct ws_instruction *instruction, u32 threads,
                               u32 lanes)
{
    LOCAL u32 *counters = sm->scratch->counters;
    lanes_add(&counters[WS_COUNT_active_lanes + ws_min(lanes, 32)], 1);
#if TALLIES
    if (pc < TALLIES) {
        sm->scratch->tally.packets[pc] += 1;
        sm->scratch->tally.threads[pc] += threads;
        sm->scratch->tally.lanes[pc] += lanes;
        if (lanes == 0)
            sm->scratch->tally.empty[pc] += 1;
        return;
    }
#endif
    lanes_add(&counters[WS_COUNT_warp_class + instruction->class_], 1);
    count_packets(sm, instruction, 1, threads, lanes);
}

#if TALLIES
static inline u32 tallies(PRIVATE const struct sm *sm)
{
    return ws_min(sm->job->instructions, TALLIES);
}

static inline void clear_tallies(PRIVATE struct sm *sm)
{
    for (u32 pc = 0; pc < tallies(sm); ++pc)
        sm->scratch->tally.packets[pc] = sm->scratch->tally.empty[pc] = sm->scratch->tally.threads[pc] =
            sm->scratch->tally.lanes[pc] = 0;
    for (u32 n = 0; n < TALLIED_SLOTS; ++n)
        sm->scratch->tally.slots[n] = 0;
}

/* Converts the tallies of pcs into counters. */
static inline void count_tallies(PRIVATE struct sm *sm)
{
    for (u32 pc = 0; pc < tallies(sm); ++pc) {
        GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
        const u32 packets = sm->scratch->tally.packets[pc];
        sm->scratch->counters[WS_COUNT_warp_class + instruction->class_] += packets;
        count_packets(sm, instruction, packets - sm->scratch->tally.empty[pc], sm->scratch->tally.threads[pc],
                      sm->scratch->tally.lanes[pc]);
    }
}

/* Tallies the outcomes of the issue ports' slots in so many cycles (pipeline/parts/issue_ports.h), by pairs of the first four
 * ports; returns 0 if others have one. */
static inline u32 tally_slots(PRIVATE struct sm *sm, u32 kinds, u32 cycles)
{
    if (kinds >= TALLIED_SLOTS * TALLIED_SLOTS)
        return 0;
    sm->scratch->tally.slots[kinds % TALLIED_SLOTS] += cycles;
    if (WS_PORTS > 2)
        sm->scratch->tally.slots[kinds / TALLIED_SLOTS] += cycles;
    return 1;
}

static inline u32 tallied_slots(PRIVATE const struct sm *sm, u32 kinds)
{
    return sm->scratch->tally.slots[kinds];
}
#else
static inline u32 tally_slots(PRIVATE struct sm *sm, u32 kinds, u32 cycles)
{
    return 0;
}

static inline u32 tallied_slots(PRIVATE const struct sm *sm, u32 kinds)
{
    return 0;
}

static inline void clear_tallies(PRIVATE struct sm *sm)
{
}

static inline void count_tallies(PRIVATE struct sm *sm)
{
}
#endif

/* Hits of the instruction cache, where every fetch that L0 lacks accesses it. */
static inline void count_code_hits(PRIVATE struct sm *sm)
{
    LOCAL u32 *counters = sm->scratch->counters;
    counters[WS_COUNT_icache_hits] = counters[WS_COUNT_fetches] - counters[WS_COUNT_icache_misses] - counters[WS_COUNT_l0_hits];
}

/* ---- The timeline: events of shared/results/events.def ---- */

/* Most events of a cycle: each port's slot outcome and new top group, the order of all blocks, and entry and end of all blocks and
 * warps; with slices five changes of each gang. */
#define EVENTS_A_CYCLE (2 * WS_PORTS + (PATH_SLICES ? 10 : 5) * WS_SLOTS)

static inline u32 is_recorded(PRIVATE const struct sm *sm, u32 kind)
{
    return RECORDED(sm) >> kind & 1;
}

/* Adds an event of this cycle. The caller has checked that its kind is recorded. */
static inline void record(PRIVATE struct sm *sm, struct ws_event event)
{
    if (lane_first()) {
        event.cycle = cycles_so_far(sm);
        ((GLOBAL struct ws_event *)(sm->records + sm->job->timeline))[sm->events] = event;
    }
    sm->events += 1;
    if (LANE_COPIES > 1 && sm->events + EVENTS_A_CYCLE > sm->job->timeline_room)
        sm->changed |= CHANGED_TIMELINE;
}

static inline void record_issue(PRIVATE struct sm *sm, u32 warp, u32 pc, u32 mask)
{
    const struct ws_event event = {.cycles = 1, .kind = WS_EVENT_issue, .port = sm->port, .warp = warp, .pc = pc, .lanes = mask};
    if (is_recorded(sm, event.kind))
        record(sm, event);
}

/* Whether stall slots of any kind are recorded. */
static inline u32 records_stalls(PRIVATE const struct sm *sm)
{
    return RECORDED(sm) & (ws_bit(WS_EVENT_idle) | ws_bit(WS_EVENT_scoreboard) | ws_bit(WS_EVENT_pipeline));
}

/* A run of stall slots of a kind. */
static inline void record_stall(PRIVATE struct sm *sm, u32 cycles, u32 kind, u32 port)
{
    const struct ws_event event = {.cycles = cycles, .kind = kind, .port = port};
    if (is_recorded(sm, kind))
        record(sm, event);
}

static inline void record_top(PRIVATE struct sm *sm, u32 group)
{
    const struct ws_event event = {.kind = WS_EVENT_top, .port = sm->port, .place = group};
    if (is_recorded(sm, event.kind))
        record(sm, event);
}

/* An event of a block: a kind that fills only block and place. */
static inline void record_block(PRIVATE struct sm *sm, u32 kind, u32 block, u32 place)
{
    const struct ws_event event = {.kind = kind, .block = block, .place = place};
    if (is_recorded(sm, kind))
        record(sm, event);
}

static inline void record_warp(PRIVATE struct sm *sm, u32 kind, u32 warp, u32 block, u32 rank)
{
    const struct ws_event event = {.kind = kind, .warp = warp, .block = block, .place = rank};
    if (is_recorded(sm, kind))
        record(sm, event);
}

#endif
