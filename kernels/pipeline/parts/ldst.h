/* The LD/ST unit: one access a cycle, in order (docs/model/pipelines.md). Pipelines decide which warps access. The first lane owns
 * the queue and the caches; a warp's lane owns its registers and its counts of accesses. The ticket of a load's line is its first
 * destination register; the ticket of any other line is the number of registers plus the warp's slot. */
#ifndef WS_PIPELINE_PARTS_LDST_H
#define WS_PIPELINE_PARTS_LDST_H

#include "pipeline/parts/accesses.h"
#include "pipeline/parts/buffer.h"

static inline GLOBAL struct ws_ldst *ldst_at(PRIVATE const struct sm *sm, u32 place)
{
    const u32 n = sm->ldst_first + place, room = MACHINE(sm, unit_ldst_queue);
    return sm_ldst(sm) + (place != 0 && n >= room ? n - room : n);
}

static inline u32 warp_ticket(PRIVATE const struct sm *sm, u32 slot)
{
    return MACHINE(sm, core_warps) * sm->plan->registers + slot;
}

/* ---- Issue ---- */

/* The warp's instruction has entered the unit. */
static inline void ldst_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc, u32 atomic)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    if (atomic)
        sm->atomics = slots_with(sm->atomics, slot);
    if (!slot_is(slot))
        return;
    registers_reserve(sm, slot, instruction, REGISTER_PENDING + pc);
    lanes->accesses_out[AT(slot)] += 1;
    if (atomic) {
        lanes->atomic_lines[AT(slot)] = 1;
        lanes->atomic_pc[AT(slot)] = pc;
    } else if (instruction->writes != 0) {
        sm_lines_left(sm)[register_cell(sm, slot, instruction->dst[0])] = 1;
    }
}

/* Ticket of the lines that the warp's instruction waits for. */
static inline u32 ldst_ticket(PRIVATE const struct sm *sm, u32 slot, GLOBAL const struct ws_instruction *instruction, u32 kind)
{
    return instruction->writes != 0 && kind != LDST_ATOMIC ? register_cell(sm, slot, instruction->dst[0]) : warp_ticket(sm, slot);
}

/* ---- Results ---- */

/* The warp has one access less outstanding; a warp that has ended may retire. */
static inline void access_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    if (slot_is(slot))
        lanes->accesses_out[AT(slot)] -= 1;
    const u32 last =
        LANE_COPIES == 1 || lanes->accesses_out[AT(slot)] == 0; /* with one work-item per lane it would take a broadcast */
    if (slots_has(sm->leaving, slot) && last)
        sm->retire_at = sm->now;
}

/* The results of an instruction become available in a cycle. */
static inline void ldst_results(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc, u32 at, u32 hit)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    if (slot_is(slot)) {
        registers_return(sm, slot, instruction, at, hit);
        lanes->busy_until[AT(slot)] = ws_max(lanes->busy_until[AT(slot)], at);
    }
    const u32 waits = slots_pick(&sm->lanes, lanes->buffered, slot) != 0 && !slots_has(sm->ready, slot);
    if (waits) /* a ready instruction does not use them */
        oldest_changes(sm, lanes, slot);
    access_returns(sm, lanes, slot);
}

/* Cycle in which results from below the first-level caches are written back. */
static inline u32 ldst_write(PRIVATE struct sm *sm)
{
    u32 at = 0;
    if (lane_first()) {
        GLOBAL struct ws_levels *levels = sm_levels(sm);
        at = ws_max(sm->now, levels->write_free);
        levels->write_free = at + 1;
    }
    return lanes_from_first(&sm->lanes, at) + MACHINE(sm, unit_writeback);
}

/* The same for results that one line completes and that share a cycle of the write port; at is WS_NEVER before the first. */
static inline u32 ldst_write_together(PRIVATE struct sm *sm, PRIVATE u32 *at)
{
    if (*at == WS_NEVER)
        *at = ldst_write(sm);
    return *at;
}

/* A line of the warp's atomic access has arrived, or its last access has been made. */
static inline void atomic_lowers(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, PRIVATE u32 *at)
{
    if (slot_is(slot))
        lanes->atomic_lines[AT(slot)] -= 1;
    if (slots_pick(&sm->lanes, lanes->atomic_lines, slot) != 0)
        return;
    const u32 pc = slots_pick(&sm->lanes, lanes->atomic_pc, slot);
    sm->atomics = slots_without(sm->atomics, slot);
    ports_change(sm);
    ldst_results(sm, lanes, slot, pc, sm->program[pc].writes != 0 ? ldst_write_together(sm, at) : sm->now, 0);
}

/* A line with this ticket has arrived. */
static inline void line_returns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 ticket, PRIVATE u32 *at)
{
    u32 left = 0, pc = 0;
    if (ticket >= warp_ticket(sm, 0)) {
        access_returns(sm, lanes, ticket - warp_ticket(sm, 0));
        return;
    }
    const u32 slot = ticket / sm->plan->registers;
    if (slot_is(slot)) {
        left = sm_lines_left(sm)[ticket] -= 1;
        pc = sm_register_at(sm)[ticket] - REGISTER_PENDING;
    }
    if (slots_give(&sm->lanes, slot, left) == 0)
        ldst_results(sm, lanes, slot, slots_give(&sm->lanes, slot, pc), ldst_write_together(sm, at), 0);
}

/* ---- Accesses ---- */

/* Values of sm->ldst_refused: in this cycle, or as of the next. */
enum { LDST_REFUSED = 1, LDST_REFUSED_NEXT };

/* Whether the unit keeps until when its first entry is refused. With one work-item per lane that costs registers. */
static inline u32 ldst_keeps(PRIVATE const struct sm *sm)
{
    return LANE_COPIES > 1 && MACHINE(sm, unit_ldst_order) == WS_ldst_order_all;
}

/* The oldest entry that can make an access, its place and that access. ACCESS_REFUSED if only memory prevents one; WS_NEVER if no
 * entry has its operands. First lane only. */
static inline u32 ldst_choose(PRIVATE struct sm *sm, PRIVATE u32 *place)
{
    u32 outcome = WS_NEVER, before = 0;
    const u32 alone = MACHINE(sm, unit_ldst_order) == WS_ldst_order_all, tried = alone ? 1 : sm->ldst_count, keeps = ldst_keeps(sm);
    if (keeps && sm_levels(sm)->retry_at > sm->now)
        return ACCESS_REFUSED;
    for (u32 n = 0; n < tried; ++n) {
        GLOBAL const struct ws_ldst *entry = ldst_at(sm, n);
        const u32 space = sm->program[entry->pc].space;
        if (!(before >> space & 1) && entry->at <= sm->now) {
            *place = n;
            outcome = ldst_try(sm, entry);
            if (outcome != ACCESS_REFUSED)
                return outcome;
        }
        before |= ws_bit(space);
    }
    if (keeps && outcome == ACCESS_REFUSED)
        sm_levels(sm)->retry_at = send_room_at(sm);
    return outcome;
}

/* Takes an entry out of the ring. */
static inline void ldst_remove(PRIVATE struct sm *sm, u32 place)
{
    if (lane_first())
        for (u32 n = place; n > 0; --n)
            *ldst_at(sm, n) = *ldst_at(sm, n - 1);
    sm->ldst_first = sm->ldst_first + 1 == MACHINE(sm, unit_ldst_queue) ? 0 : sm->ldst_first + 1;
    if (sm->ldst_count == MACHINE(sm, unit_ldst_queue))
        ports_change(sm);
    sm->ldst_count -= 1;
}

/* An instruction has made its last access and leaves the unit. */
static inline void ldst_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc, u32 kind, u32 missed,
                               PRIVATE u32 *at)
{
    u32 left = 0;
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    if (kind == LDST_ATOMIC) {
        atomic_lowers(sm, lanes, slot, at);
        return;
    }
    if (instruction->writes == 0) {
        access_returns(sm, lanes, slot);
        return;
    }
    if (slot_is(slot))
        left = sm_lines_left(sm)[register_cell(sm, slot, instruction->dst[0])] -= 1;
    if (slots_give(&sm->lanes, slot, left) == 0)
        ldst_results(sm, lanes, slot, pc, sm->now + space_latency(sm, kind == LDST_NOTHING ? WS_SPACE_none : instruction->space),
                     !missed);
}

/* The warp waits for a line of its instruction, or for the response to an access. */
static inline void ldst_waits(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 pc, u32 kind)
{
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    if (!slot_is(slot))
        return;
    if (kind == LDST_ATOMIC)
        lanes->atomic_lines[AT(slot)] += 1;
    else if (instruction->writes == 0)
        lanes->accesses_out[AT(slot)] += 1;
    else
        sm_lines_left(sm)[register_cell(sm, slot, instruction->dst[0])] += 1;
}

/* Next cycle, after this one, in which the unit can act, responses of memory aside. */
static inline u32 ldst_next(PRIVATE struct sm *sm)
{
    u32 next = WS_NEVER;
    if (sm->ldst_count == 0)
        return next;
    if (lane_first()) {
        const u32 tried = MACHINE(sm, unit_ldst_order) == WS_ldst_order_space ? sm->ldst_count : 1;
        for (u32 n = 0; n < tried && next > sm->now + 1; ++n) {
            const u32 at = ldst_at(sm, n)->at;
            if (at > sm->now || !sm->ldst_refused)
                next = ws_min(next, at);
        }
        if (sm->ldst_refused)
            next = ws_min(next, ldst_keeps(sm) ? sm_levels(sm)->retry_at : send_room_at(sm));
        next = ws_max(next, sm->now + 1);
    }
    return lanes_from_first(&sm->lanes, next);
}

/* Rebases times to the start of the next quantum. */
static inline void ldst_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 n = 0; n < MACHINE(sm, unit_ldst_queue); ++n)
        sm_ldst(sm)[n].at -= ws_min(sm_ldst(sm)[n].at, elapsed);
}

#endif
