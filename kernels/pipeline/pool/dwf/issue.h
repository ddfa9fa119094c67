/* The issue slot with a scheduler of a pool (docs/model/order.md, divergence.md). */
#ifndef WS_PIPELINE_POOL_DWF_ISSUE_H
#define WS_PIPELINE_POOL_DWF_ISSUE_H

#include "pipeline/pool/dwf/dwf.h"
#include "pipeline/parts/port.h"
#include "schedule/pool/scheduler.h"

/* Whether a dynamic warp can be selected. */
static inline u32 dwf_ready(PRIVATE struct sm *sm)
{
    return lanes_from_first(&sm->lanes, lane_first() ? pool_oldest(sm, WS_NEVER) != WS_NO_PLACE : 0);
}

static inline u32 dwf_is_busy(PRIVATE struct sm *sm)
{
    return lanes_from_first(&sm->lanes, lane_first() ? pool_busy(sm) : 0);
}

static inline void issue_packet(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet, u32 place)
{
    const u32 lead = dynamic_threads(sm, packet->slot)[ws_ctz(packet->mask)];
    const u32 latency = port_latency(sm, packet->instruction->class_, packet->instruction->space);
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_instructions_fetched, 1);
    if (lane_first())
        count_issue(sm, packet->pc, packet->instruction, ws_popcount(packet->mask), ws_popcount(packet->lanes));
    record_issue(sm, home_warp(sm, lead), packet->pc, packet->lanes);
    dwf_take(sm, packet, place);
    port_send(sm, packet);
    dwf_follow(sm, packet);
    flight_begins(sm, lanes, packet, port_pass(sm, dwf_entry(sm, packet), packet->access.passes, latency), OUTCOME_NEXT);
}

/* Uses the cycle's issue slot. */
static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct packet packet;
    u32 place = WS_NO_PLACE;
    if (!dwf_ready(sm))
        return dwf_is_busy(sm) ? SLOT_SCOREBOARD : SLOT_IDLE;
    if (sm->now < sm->select_at || (sm->queued && MACHINE(sm, dwf_writeback) == WS_dwf_writeback_stall))
        return SLOT_PIPELINE;
    packet.slot = pool_choose(sm, &place);
    if (slots_any(sm->refused) && sm->refused_warp == packet.slot)
        return SLOT_QUEUE_FULL;
    dwf_peek(sm, &packet);
    const u32 wanted = port_try(sm, &packet);
    if (wanted != 0) {
        sm->refused_warp = packet.slot;
        return refuse(sm, 0, wanted);
    }
    issue_packet(sm, lanes, &packet, place);
    return SLOT_ISSUED;
}

#endif
