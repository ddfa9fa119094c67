/* Pipeline `pool`: the barrel for path units of threads (shared/paths.def), whose threads leave their warps. One SM, cycle by
 * cycle, the steps of docs/model/order.md in their order. The unit (dwf/, mimd/) defines
 *   issue   uses the cycle's issue slot; returns its outcome */
#ifndef WS_PIPELINE_POOL_CYCLE_H
#define WS_PIPELINE_POOL_CYCLE_H

#include "pipeline/parts/issue_slot.h"

static inline u32 issue(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

/* The time at which lanes or data port become free matters only if something could issue. */
static inline u32 next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    u32 next = sm->changed & (CHANGED_STATE | CHANGED_ROOM) ? sm->now + 1 : sm->flight_at;
    if (slot == SLOT_PIPELINE && sm->select_at > sm->now)
        next = ws_min(next, sm->select_at);
    return ws_min(next, ws_min(sm->deadline, sm->end));
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    fill(sm, lanes);
    sm->entering = slots_none();
    if (flight_completes(sm, lanes))
        flight_releases(sm, lanes);
    if (last_block_ended(sm)) {
        sm->status = WS_STATUS_ok;
        return;
    }
    dispatch(sm, lanes, sm->now + 1);
    const u32 slot = issue(sm, lanes);
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, slot);
}

#endif
