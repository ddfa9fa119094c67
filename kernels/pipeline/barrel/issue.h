/* The issue slot: select, fetch and issue (docs/model/order.md, steps 6 and stall slots). */
#ifndef WS_PIPELINE_BARREL_ISSUE_H
#define WS_PIPELINE_BARREL_ISSUE_H

#include "path/slot.h"
#include "pipeline/barrel/warps.h"
#include "pipeline/parts/port.h"
#include "skip/skip.h"

/* Issues the packet of the selected slot, or returns why the slot stalls. */
static inline u32 issue_packet(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    path_peek(sm, lanes, packet);
    const u32 wanted = port_try(sm, packet);
    if (wanted != 0)
        return refuse(sm, packet->slot, wanted);
    if (!packet->goes_on) {
        count(sm, WS_COUNT_fetches, 1);
        icache_touch(sm, packet->pc);
        policy_chosen(sm, lanes, packet->slot);
    }
    const u32 issues = path_take(sm, lanes, packet);
    count_fetched(sm, lanes, packet, issues);
    if (!issues)
        return SLOT_SCOREBOARD;
    if (lane_first())
        count_issue(sm, packet->pc, packet->instruction, packet->executed, packet->effective);
    record_issue(sm, packet->slot, packet->pc, packet->shown);
    time_packet(sm, packet->slot);
    port_send(sm, packet);
    if (packet->access.misses != 0 && packet->instruction->class_ != WS_CLASS_store)
        time_misses(sm, lanes, packet->slot, WS_CACHE_DATA, packet->access.misses + packet->access.again);
    const u32 latency = port_latency(sm, packet->instruction->class_, packet->instruction->space);
    const u32 done = port_pass(sm, PLAN(sm, entry), packet->access.passes, latency);
    flight_begins(sm, lanes, packet, done, path_follow(sm, lanes, packet));
    return SLOT_ISSUED;
}

/* Fetches the instruction of the slot that the scheduler chose. Returns the reason for a stall slot, or SLOT_ISSUED. */
static inline u32 fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet)
{
    const u32 outcome = icache_fetch(sm, packet->pc, packet->slot);
    if (outcome == FETCH_HIT)
        return SLOT_ISSUED;
    if (outcome == FETCH_FULL)
        return refuse(sm, packet->slot, 1);
    policy_chosen(sm, lanes, packet->slot);
    path_sleep(sm, lanes, packet->slot);
    sm->changed |= CHANGED_STATE;
    return SLOT_IDLE;
}

/* Uses the cycle's issue slot. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    struct packet packet;
    packet.slot = path_decode(sm, sm->now >= sm->select_at);
    packet.goes_on = packet.slot != DECODE_FREE;
    if (packet.slot == DECODE_BLOCKED)
        return SLOT_SCOREBOARD;
    if (!packet.goes_on && !slots_any(ready))
        return flight_is_busy(sm, lanes) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (sm->now < sm->select_at)
        return SLOT_PIPELINE;
    if (!packet.goes_on)
        packet.slot = policy_choose(sm, lanes, ready);
    if (slots_has(sm->refused, packet.slot))
        return SLOT_QUEUE_FULL;
    packet.pc = slots_pick(&sm->lanes, lanes->pc, packet.slot);
    if (packet.pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return SLOT_IDLE;
    }
    packet.instruction = sm->program + packet.pc;
    if (!packet.goes_on && rounds_take(sm, lanes, &packet))
        return SLOT_ISSUED;
    const u32 outcome = packet.goes_on ? SLOT_ISSUED : fetch(sm, lanes, &packet);
    return outcome == SLOT_ISSUED ? issue_packet(sm, lanes, &packet) : outcome;
}

#endif
