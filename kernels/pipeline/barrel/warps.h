/* Warps of the barrel pipeline. single.h (one packet in flight for each warp) and several.h define, beside pipeline/parts/flight.h:
 *   path_admit           warps that entered in the last cycle become ready
 *   path_ready           ready slots; path unit lwm keeps them in sets and defines both functions itself
 *   path_sleep           the slot waits for its instruction line (sm->asleep) until path_wake
 *   flight_awaits        slots that wait for data memory (docs/model/schedulers.md), of those that are not ready
 *   flight_is_busy       whether a candidate of the scheduler has anything in flight, when no slot is ready
 *   flight_next_event    next cycle at which anything but memory can change state; port: packets are ready and wait for the data
 *                        port, so that further ready packets are irrelevant */
#ifndef WS_PIPELINE_BARREL_WARPS_H
#define WS_PIPELINE_BARREL_WARPS_H

#include "pipeline/parts/flight.h"

static inline void path_admit(PRIVATE struct sm *sm);

static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void path_sleep(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot);

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready);

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port);

/* Slots that wait: for data, an instruction line, a barrier, or other warps of their path unit (docs/model/schedulers.md). */
static inline slot_set awaiting(PRIVATE struct sm *sm, slot_set ready)
{
    return slots_or(slots_or(flight_awaits(sm, ready), sm->asleep), slots_or(sm->at_barrier, path_awaits(sm)));
}

#endif
