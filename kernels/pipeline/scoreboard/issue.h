/* The issue ports: each issues a packet or classes its lost slot (docs/model.md 10; Anantpur II.B). */
#ifndef WS_PIPELINE_SCOREBOARD_ISSUE_H
#define WS_PIPELINE_SCOREBOARD_ISSUE_H

#include "pipeline/scoreboard/ldst.h"

/* The warp has ended: it retires when all it has begun is done. */
static inline void warp_leaves(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    PER_SLOT(u32, at);
    sm->leaving = slots_with(sm->leaving, slot);
    count(sm, WS_COUNT_buffer_flushes, slots_pick(&sm->lanes, lanes->buffered, slot) > 1);
    if (slot_is(slot)) {
        lanes->buffered[AT(slot)] = 0;
        at[AT(slot)] = lanes->accesses_out[AT(slot)] == 0 ? ws_max(lanes->busy_until[AT(slot)], sm->now + 1) : WS_NEVER;
    }
    sm->retire_at = ws_min(sm->retire_at, slots_pick(&sm->lanes, at, slot));
}

/* Where the results of the packet come from. */
static inline void execute(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 unit = unit_of(sm, &packet->instruction);
    if (unit == UNIT_LDST) {
        ldst_enter(sm, lanes, packet);
        return;
    }
    const u32 done = unit_issue(sm, &packet->instruction, unit), slot = packet->slot;
    if (slot_is(slot) && packet->instruction.writes != 0) {
        registers_reserve(sm, slot, &packet->instruction, done);
        lanes->busy_until[AT(slot)] = ws_max(lanes->busy_until[AT(slot)], done);
    }
}

/* What the packet comes to, at once. */
static inline void follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 slot = packet->slot, outcome = path_follow(sm, lanes, packet);
    if (sm->status != WS_STATUS_running)
        return;
    if (outcome == OUTCOME_BARRIER)
        warp_arrives(sm, slot);
    if (outcome == OUTCOME_PATH)
        path_done(sm, lanes, slots_only(slot));
    sm->barriers_due |= outcome != OUTCOME_NEXT;
    if (slots_has(sm->live, slot))
        buffer_moves_on(sm, lanes, slot, packet->pc);
    else
        warp_leaves(sm, lanes, slot);
}

/* Issues the first buffered instruction of the warp in a slot. */
static inline void issue_packet(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    struct packet packet;
    packet.slot = slot;
    packet.pc = slots_pick(&sm->lanes, lanes->pc, slot);
    packet.instruction = sm->program[packet.pc];
    packet.access.passes = packet.access.misses = 0;
    sm->ready = slots_without(sm->ready, slot);
    sm->valid = slots_without(sm->valid, slot);
    sm->long_heads = slots_without(sm->long_heads, slot);
    path_peek(sm, lanes, &packet);
    path_take(sm, lanes, &packet);
    policy_chosen(sm, lanes, slot);
    count_begun(sm, lanes, &packet, 1);
    if (lane_first())
        count_issue(sm, &packet.instruction, packet.executed, packet.effective);
    record_issue(sm, slot, packet.pc, packet.shown);
    execute(sm, lanes, &packet);
    follow(sm, lanes, &packet);
}

/* Those of the slots whose unit has room for their first buffered instruction. */
static inline slot_set with_room(PRIVATE const struct sm *sm, slot_set slots)
{
    if (sm->ldst_count == sm->machine->unit_ldst_queue)
        slots = slots_minus(slots, sm->heads_ldst);
    if (sm->sfu_room_at > sm->now)
        slots = slots_minus(slots, sm->heads_sfu);
    if (sm->sp_room_at > sm->now)
        slots = slots_and(slots, slots_or(sm->heads_ldst, sm->heads_sfu));
    return slots;
}

/* The port sm->port uses its slot; returns what became of it. */
static inline u32 port_issues(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const slot_set held = slots_or(sm->at_barrier, sm->atomics);
    const slot_set mine = policy_looks(sm, slots_minus(port_slots(sm), held)), ready = slots_and(sm->ready, mine);
    const slot_set selectable = with_room(sm, ready);
    if (slots_any(selectable)) {
        issue_packet(sm, lanes, policy_choose(sm, lanes, selectable));
        return SLOT_ISSUED;
    }
    if (slots_any(ready))
        return SLOT_PIPELINE;
    return slots_any(slots_and(sm->valid, mine)) ? SLOT_SCOREBOARD : SLOT_IDLE;
}

#endif
