/* `rr`: round robin over all warps (docs/model.md 7; Narasiman 2.1). */
#ifndef WS_SCHEDULE_RR_H
#define WS_SCHEDULE_RR_H

#include "schedule/round_robin.h"

static inline u32 rr_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    return round_robin(sm, lanes, selectable, 0);
}

static inline void rr_chosen(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    round_robin_past(sm, lanes, 0, warp);
}

static inline void rr_rotate(PRIVATE struct sm *sm, u32 awaiting)
{
    (void)sm;
    (void)awaiting;
}

static inline void rr_issued(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 begins)
{
    (void)sm;
    (void)warp;
    (void)threads;
    (void)begins;
}

static inline u32 rr_round(PRIVATE const struct sm *sm, u32 warp, u32 awaiting, PRIVATE struct round *round)
{
    (void)warp;
    (void)awaiting;
    round->slots = 0xFFFFFFFFu;
    round->before = 0;
    round->by_count = sm->machine->schedule_round_robin == WS_round_robin_fewest;
    round->most = WS_LANES;
    return 1;
}

#endif
