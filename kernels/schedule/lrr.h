/* `lrr`: loose round robin, the next selectable warp after the one that issued last (docs/model/schedulers.md; Anantpur IV). */
#ifndef WS_SCHEDULE_LRR_H
#define WS_SCHEDULE_LRR_H

#include "schedule/round_robin.h"

static inline u32 lrr_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    return slots_next(ready, port_value(sm->loose_turn, AT_PORT(sm)));
}

static inline void lrr_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    if (issued->issues)
        port_put(sm->loose_turn, AT_PORT(sm), slot_after(sm, issued->slot));
}

#endif
