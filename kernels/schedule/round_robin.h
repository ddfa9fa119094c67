/* Round robin among warp slots, as `rr` and `two_level` use it (docs/model/schedulers.md, rr). */
#ifndef WS_SCHEDULE_ROUND_ROBIN_H
#define WS_SCHEDULE_ROUND_ROBIN_H

#include "schedule/ports.h"

/* Candidates left to the rotating pointer, at least two. */
static inline slot_set round_robin_left(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set candidates)
{
    return MACHINE(sm, schedule_round_robin) == WS_round_robin_fewest ? slots_of_least(&sm->lanes, candidates, lanes->fetched)
                                                                      : candidates;
}

/* The pointer's position after a warp. */
static inline u32 slot_after(PRIVATE const struct sm *sm, u32 warp)
{
    return warp + 1 == MACHINE(sm, core_warps) ? 0 : warp + 1;
}

#endif
