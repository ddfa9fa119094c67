/* The issue ports: each issues a packet, or its stall slot gets a reason (docs/model/pipelines.md; Anantpur II.B). */
#ifndef WS_PIPELINE_SCOREBOARD_ISSUE_H
#define WS_PIPELINE_SCOREBOARD_ISSUE_H

#include "pipeline/parts/port_order.h"
#include "pipeline/scoreboard/fetch.h"
#include "pipeline/scoreboard/ldst.h"
#include "pipeline/parts/follow.h"
#include "skip/skip.h"

/* Number of owners of units: issue ports, or the SM alone. */
static inline u32 unit_owners(PRIVATE const struct sm *sm)
{
    return WS_OWNERS_OF(MACHINE(sm, unit_owner), MACHINE(sm, core_issue_ports));
}

/* Owner of the units to which the port sm->port issues. */
static inline u32 unit_owner(PRIVATE const struct sm *sm)
{
    return sm->port & (unit_owners(sm) - 1);
}

/* Sends the packet to its unit and reserves its destination registers. */
static inline void execute(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 unit = unit_of(sm, sm->program + packet->pc);
    if (unit == UNIT_LDST) {
        ldst_enter(sm, lanes, packet);
        return;
    }
    const u32 done = unit_issue(sm, sm->program + packet->pc, unit_owner(sm), unit), slot = packet->slot;
    if (slot_is(slot) && packet->instruction->writes != 0) {
        registers_reserve(sm, slot, sm->program + packet->pc, done);
        lanes->busy_until[AT(slot)] = ws_max(lanes->busy_until[AT(slot)], done);
    }
}

/* Issues the oldest buffered instruction of the warp in a slot. */
static inline void issue_packet(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    struct packet packet;
    packet.slot = slot;
    packet.pc = slots_pick(&sm->lanes, lanes->pc, slot);
    packet.instruction = sm->program + packet.pc;
    packet.access.passes = packet.access.misses = 0;
    sm->ready = slots_without(sm->ready, slot);
    if (keeps_marks(sm))
        sm->oldest_long = slots_without(sm->oldest_long, slot);
    path_peek(sm, lanes, &packet);
    path_take(sm, lanes, &packet);
    policy_chosen(sm, lanes, slot);
    count_fetched(sm, lanes, &packet, 1);
    if (lane_first())
        count_issue(sm, packet.pc, packet.instruction, packet.executed, packet.effective);
    record_issue(sm, slot, packet.pc, packet.shown);
    execute(sm, lanes, &packet);
    follow(sm, lanes, &packet);
}

/* Whether the units of a kind to which the port sm->port issues are full. */
static inline u32 unit_full(PRIVATE struct sm *sm, u32 kind)
{
    u32 full = 0;
    if (lane_first())
        full = unit_at(sm, unit_owner(sm), kind)->room_at > sm->now;
    return lanes_from_first(&sm->lanes, full);
}

/* Slots whose unit has room for their oldest buffered instruction. */
static inline slot_set with_room(PRIVATE struct sm *sm, slot_set slots)
{
    if (sm->ldst_count == MACHINE(sm, unit_ldst_queue))
        slots = slots_minus(slots, oldest_to_unit(sm, slots, UNIT_LDST));
    if (sm->room_at <= sm->now)
        return slots;
    if (unit_full(sm, UNIT_SFU))
        slots = slots_minus(slots, oldest_to_unit(sm, slots, UNIT_SFU));
    if (unit_full(sm, UNIT_TENSOR))
        slots = slots_minus(slots, oldest_to_unit(sm, slots, UNIT_TENSOR));
    if (unit_full(sm, UNIT_SP))
        slots = slots_minus(slots, oldest_to_unit(sm, slots, UNIT_SP));
    return slots;
}

/* The port sm->port uses its slot; returns the slot's outcome. */
static inline u32 port_issues(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const slot_set held = slots_or(sm->at_barrier, sm->atomics);
    const slot_set mine = policy_candidates(sm, slots_minus(port_slots(sm), held)), ready = slots_and(sm->ready, mine);
    if (!slots_any(ready))
        return slots_any(slots_and(sm->valid, mine)) ? SLOT_SCOREBOARD : SLOT_IDLE;
    const slot_set selectable = with_room(sm, ready);
    if (!slots_any(selectable))
        return SLOT_PIPELINE;
    issue_packet(sm, lanes, policy_choose(sm, lanes, selectable));
    return SLOT_ISSUED;
}

/* Slots that wait, in the sense of docs/model/schedulers.md. */
static inline slot_set awaiting(PRIVATE const struct sm *sm)
{
    return slots_or(slots_or(sm->at_barrier, sm->asleep), slots_or(sm->atomics, sm->oldest_long));
}

/* The steps rotate and issue: each port uses its slot, and the scheduler sees the events before each. Returns whether a port
 * issued. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 issued = 0, kinds = 0;
    if (SKIPS && sm->ports_at > sm->now && !policy_rotates(sm))
        return 0;
    policy_events(sm, lanes);
    rotate(sm, lanes);
    const u32 ports = MACHINE(sm, core_issue_ports), first = first_port(sm);
    for (u32 n = 0; n < ports; ++n) {
        if (n != 0)
            policy_events(sm, lanes);
        sm->port = port_from(ports, first, n);
        const u32 slot = port_issues(sm, lanes);
        kinds |= slot << SLOT_BITS * sm->port;
        if (slot != SLOT_ISSUED)
            continue;
        issued = 1;
        if (sm->status != WS_STATUS_running)
            break;
    }
    sm->slot_kinds = kinds;
    sm->ports_at = issued ? sm->now : ws_min(room_next(sm), policy_next(sm));
    return issued;
}

/* Next cycle, after one in which nothing issued, in which a unit has room again or the scheduler changes. */
static inline u32 issue_next(PRIVATE struct sm *sm)
{
    return sm->ports_at;
}

#endif
