/* Pipeline `barrel`: one SM, cycle by cycle, the steps of docs/model/order.md in their order. */
#ifndef WS_PIPELINE_BARREL_CYCLE_H
#define WS_PIPELINE_BARREL_CYCLE_H

#include "pipeline/barrel/issue.h"
#include "pipeline/parts/issue_slot.h"

/* Next cycle in which the outcome can differ, memory aside. While no packet is ready, the time at which the data port becomes free
 * is irrelevant. While one waits for the port, further warps becoming ready are irrelevant too, unless the scheduler promotes warps
 * by readiness. */
static inline u32 next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    const u32 at_once = sm->changed & (CHANGED_STATE | CHANGED_ROOM);
    u32 next = at_once ? sm->now + 1 : flight_next_event(sm, lanes, slot == SLOT_PIPELINE && !policy_rotates(sm));
    if (sm->select_at > sm->now && (slot == SLOT_PIPELINE || PATH_SPLITS))
        next = ws_min(next, sm->select_at);
    next = ws_min(next, ws_min(policy_next(sm), dispatch_next(sm)));
    return ws_min(next, ws_min(sm->deadline, sm->end));
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    fill(sm, lanes);
    path_admit(sm);
    if (flight_completes(sm, lanes))
        flight_releases(sm, lanes);
    if (last_block_ended(sm)) {
        sm->status = WS_STATUS_ok;
        return;
    }
    if (SLOTS_RETURN)
        policy_events(sm, lanes); /* of warps whose slots may be reused */
    dispatch(sm, lanes, sm->now + 1);
    policy_events(sm, lanes);
    policy_tick(sm, lanes);
    const slot_set ready = path_ready(sm, lanes);
    policy_rotate(sm, lanes, awaiting(sm, ready));
    const u32 slot = issue(sm, lanes, policy_candidates(sm, ready));
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, slot);
}

#endif
