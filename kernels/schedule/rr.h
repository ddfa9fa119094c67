/* `rr`: round robin over all warps (docs/model/schedulers.md; Narasiman 2.1). */
#ifndef WS_SCHEDULE_RR_H
#define WS_SCHEDULE_RR_H

#include "schedule/round_robin.h"

static inline u32 rr_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    if (slots_alone(ready))
        return slots_first(ready);
    return slots_next(round_robin_left(sm, lanes, ready), port_value(sm->turn, AT_PORT(sm)));
}

static inline void rr_chosen(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    port_put(sm->turn, AT_PORT(sm), slot_after(sm, warp));
}

static inline u32 rr_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
    round->slots = slots_below(WS_SLOTS);
    round->before = slots_none();
    round->by_count = MACHINE(sm, schedule_round_robin) == WS_round_robin_fewest;
    round->most = WS_SLOTS;
    return 1;
}

#endif
