/* Warps of the barrel: single.h, where each has one packet in flight, or several.h defines of them, beside pipeline/parts/flight.h:
 *   path_admit           those that entered in the last cycle are ready
 *   path_ready           slots that are ready; the path unit lwm, which keeps it in sets, defines both
 *   path_sleep           the slot waits for its instruction line (sm->asleep), and is not ready before path_wake
 *   flight_awaits        slots that wait for data memory (docs/model/schedulers.md), of those that are not ready
 *   flight_is_busy       whether a warp that the scheduler looks at has anything in flight where none is ready
 *   flight_next_event    next cycle at which anything but memory can change state; port: packets are ready and wait for the port,
 *                        and it does not matter whether more are */
#ifndef WS_PIPELINE_BARREL_WARPS_H
#define WS_PIPELINE_BARREL_WARPS_H

#include "pipeline/parts/flight.h"

static inline void path_admit(PRIVATE struct sm *sm);

static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void path_sleep(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot);

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready);

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port);

/* Slots that await: for data, for an instruction line, at a barrier, for others of their path unit (docs/model/schedulers.md). */
static inline slot_set awaiting(PRIVATE struct sm *sm, slot_set ready)
{
    return slots_or(slots_or(flight_awaits(sm, ready), sm->asleep), slots_or(sm->at_barrier, path_awaits(sm)));
}

#endif
