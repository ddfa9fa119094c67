/* `lwm`: large warps whose active threads are packed into sub-warps (docs/model/divergence.md; Narasiman 3.1). */
#ifndef WS_PATH_LWM_LWM_H
#define WS_PATH_LWM_LWM_H

#include "dispatch/barriers.h"
#include "path/lwm/pack.h"
#include "path/lwm/stack.h"

/* ---- Slots ---- */

/* Makes all threads of the warp active and sets their streams to the start. */
static inline void lwm_fill(PRIVATE struct sm *sm, u32 warp, u32 threads)
{
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    FOR_LANES (lane) {
        for (u32 row = 0; row < PLAN(sm, rows); ++row) {
            sm_decisions(sm)[thread_slot(sm, warp, row, lane)] = 0;
            sm_accesses(sm)[thread_slot(sm, warp, row, lane)] = 0;
        }
    }
    FOR_ROWS (sm, row) {
        *row_of(rows, ROWS_ACTIVE, row) = threads <= row * WS_LANES ? 0 : ws_bits_below(threads - row * WS_LANES);
        *row_of(rows, ROWS_TODO, row) = *row_of(rows, ROWS_BUSY, row) = 0;
    }
}

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    if (slot_is(warp)) {
        path_open(lanes, warp);
        lanes->packets[AT(warp)] = 0;
    }
    lwm_fill(sm, warp, threads);
    const u32 later = cycle > sm->now;
    sm->changed |= later ? CHANGED_STATE : 0;
    sm->selectable = later ? sm->selectable : slots_with(sm->selectable, warp);
}

static inline void path_admit(PRIVATE struct sm *sm)
{
    sm->selectable = slots_or(sm->selectable, sm->entering);
    sm->entering = slots_none();
}

static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    return sm->selectable;
}

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return slots_none();
}

static inline void path_sleep(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    sm->selectable = slots_without(sm->selectable, slot);
    sm->asleep = slots_with(sm->asleep, slot);
}

static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    sm->selectable = slots_or(sm->selectable, slots);
    sm->asleep = slots_minus(sm->asleep, slots);
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    sm->selectable = slots_or(sm->selectable, slots);
    return slots_none();
}

static inline u32 path_decode(PRIVATE struct sm *sm, u32 select_free)
{
    if (sm->holder == WS_NEVER)
        return DECODE_FREE;
    if (packable(sm, sm->holder))
        return sm->holder;
    if (MACHINE(sm, divergence_decode) == WS_decode_hold)
        return DECODE_BLOCKED;
    if (select_free) { /* the warp steps aside */
        sm->holder = WS_NEVER;
        sm->changed |= CHANGED_STATE;
    }
    return DECODE_FREE;
}

/* ---- Packets ---- */

static inline void path_peek(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    packet->begins = !packet->goes_on && !slots_has(sm->current, packet->slot);
    packet->first = slots_pick(&sm->lanes, lanes->first, packet->slot);
    packet->skipped = 0;
    if (packet->begins)
        pack_what(sm, packet);
    pack_rows(sm, packet);
}

/* Starts the slot's instruction. */
static inline void lwm_begin(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 warp = packet->slot, class_ = packet->instruction->class_;
    const u32 all = class_ == WS_CLASS_branch || class_ == WS_CLASS_barrier || class_ == WS_CLASS_exit ||
                    MACHINE(sm, divergence_refetch) == WS_refetch_last;
    sm->current = slots_with(sm->current, warp);
    sm->any_done = slots_without(sm->any_done, warp);
    sm->needs_all = all ? slots_with(sm->needs_all, warp) : slots_without(sm->needs_all, warp);
    if (slot_is(warp))
        lanes->packets[AT(warp)] = 0;
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    FOR_ROW_GROUPS (sm, group, n)
        rows[group].of[ROWS_TAKEN][n] = rows[group].of[ROWS_LEAD][n] = 0;
    if (packet->instruction->flags & WS_GUARDED)
        take_guards(sm, packet);
    if (class_ == WS_CLASS_exit) {
        FOR_ROW_GROUPS (sm, group, n)
            rows[group].of[ROWS_TAKEN][n] = rows[group].of[ROWS_TODO][n];
    }
    count(sm, WS_COUNT_thread_class + class_, packet->skipped);
}

static inline u32 path_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 some = packet->mask;
    if (!packet->goes_on)
        sm->selectable = slots_without(sm->selectable, packet->slot);
    if (packet->begins)
        lwm_begin(sm, lanes, packet);
    else if (!packet->goes_on)
        count(sm, WS_COUNT_resumes, 1);
    pack_threads(sm, packet);
    packet->executed = packet->effective = 0;
    if (some && packet->lanes == 0) {
        sm->holder = MACHINE(sm, divergence_decode) == WS_decode_hold ? packet->slot : WS_NEVER;
        sm->changed |= CHANGED_STATE;
        count(sm, WS_COUNT_empty_packs, 1);
        return 0;
    }
    packet->executed = packet->effective = packet_threads(sm, packet);
    return 1;
}

/* The slot keeps decode while threads remain to pack. */
static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    if (slot_is(packet->slot))
        lanes->packets[AT(packet->slot)] += 1;
    if (any_of(sm, packet->slot, ROWS_TODO)) {
        sm->holder = packet->slot;
        return OUTCOME_NEXT;
    }
    sm->holder = WS_NEVER;
    sm->packed = slots_with(sm->packed, packet->slot);
    sm->touched = slots_with(sm->touched, packet->slot);
    return OUTCOME_NEXT;
}

/* ---- Completion ---- */

static inline void path_packet_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 current)
{
    if (current) {
        if (slot_is(slot))
            lanes->packets[AT(slot)] -= 1;
        sm->any_done = slots_with(sm->any_done, slot);
    }
    sm->touched = slots_with(sm->touched, slot);
    const u32 aside = slots_has(sm->current, slot) && !slots_has(sm->packed, slot) && !slots_has(sm->asleep, slot);
    if (aside && sm->holder != slot && packable(sm, slot))
        sm->selectable = slots_with(sm->selectable, slot);
}

/* The large warp completes its instruction: pc and stack change. */
static inline void lwm_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, warp);
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    sm->current = slots_without(sm->current, warp);
    sm->packed = slots_without(sm->packed, warp);
    if (instruction->class_ == WS_CLASS_branch)
        lwm_branch(sm, lanes, warp, instruction);
    else if (instruction->class_ == WS_CLASS_exit)
        lwm_exit(sm, lanes, warp);
    else if (slot_is(warp))
        lanes->pc[AT(warp)] = pc_after(instruction, pc);
    if (sm->status != WS_STATUS_running)
        return;
    if (lwm_settle(sm, lanes, warp))
        warp_ends(sm, lanes, warp);
    else if (instruction->class_ == WS_CLASS_barrier)
        warp_arrives(sm, warp);
    else
        sm->selectable = slots_with(sm->selectable, warp);
}

static inline u32 path_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 stops = 0;
    for (slot_set warps = slots_and(sm->touched, sm->packed); slots_any(warps); warps = slots_rest(warps)) {
        const u32 warp = slots_first(warps);
        const u32 packets = slots_pick(&sm->lanes, lanes->packets, warp);
        const u32 waits = slots_has(sm->needs_all, warp) ? packets != 0 : !slots_has(sm->any_done, warp);
        if (!waits && sm->status == WS_STATUS_running)
            lwm_advance(sm, lanes, warp);
        stops |= slots_has(sm->at_barrier, warp) || !slots_has(sm->live, warp);
    }
    sm->touched = slots_none();
    return stops;
}

#endif
