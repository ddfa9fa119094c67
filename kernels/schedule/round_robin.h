/* Round robin among warp slots, as both schedulers use it (docs/model.md 7, rr). */
#ifndef WS_SCHEDULE_ROUND_ROBIN_H
#define WS_SCHEDULE_ROUND_ROBIN_H

#include "core/sm.h"

/* The candidates with the fewest instructions fetched. */
static inline u32 fewest_of(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 candidates)
{
    PER_LANE(u32, fetched);
    PER_LANE(u32, fewest);
    FOR_LANES (lane)
        fetched[OF(lane)] = candidates >> lane & 1 ? lanes->fetched[OF(lane)] : 0xFFFFFFFFu;
    const u32 least = lanes_least(&sm->lanes, fetched);
    FOR_LANES (lane)
        fewest[OF(lane)] = fetched[OF(lane)] == least;
    return lanes_ballot(&sm->lanes, fewest);
}

/* One of the candidates (at least one), by the pointer of a fetch group. */
static inline u32 round_robin(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 candidates, u32 group)
{
    if ((candidates & (candidates - 1)) == 0)
        return ws_ctz(candidates);
    if (sm->machine->schedule_round_robin == WS_round_robin_fewest)
        candidates = fewest_of(sm, lanes, candidates);
    return next_in_turn(candidates, lanes_pick(&sm->lanes, lanes->pointer, group));
}

/* Moves the pointer of a fetch group past the warp. */
static inline void round_robin_past(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 group, u32 warp)
{
    if (lane_is(group))
        lanes->pointer[OF(group)] = warp + 1 == sm->machine->core_warps ? 0 : warp + 1;
}

#endif
