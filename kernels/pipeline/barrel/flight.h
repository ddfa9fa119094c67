/* Packets in flight: those in the pipeline, and those that have left it and wait for memory. single.h or several.h defines:
 *   flight_ticket        the ticket of the lines that a packet misses
 *   flight_begins        the packet is in the pipeline until a cycle, then its slot comes to an outcome
 *   flight_data_arrives  lines are there
 *   flight_completes     what completes in this cycle; says whether a barrier can let go
 *   flight_releases      barriers let go
 *   flight_awaits        slots that wait for data memory (docs/model.md 7), of those that are not ready
 *   flight_is_busy       whether a warp that the scheduler looks at has anything in flight where none is ready
 *   flight_next_event    next cycle at which anything but memory can change state
 *   flight_rebase        its cycles outside the kept fields, as those of the next slice; in the first lane */
#ifndef WS_PIPELINE_BARREL_FLIGHT_H
#define WS_PIPELINE_BARREL_FLIGHT_H

#include "memory/memory.h"
#include "pipeline/pipeline.h"

/* ---- Readiness: defined by lwm, which keeps it in sets, or by single.h ---- */

/* Those that entered in the last cycle are ready. */
static inline void path_admit(PRIVATE struct sm *sm);

/* Slots that are ready. */
static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

/* The slot waits for its instruction line (sm->asleep), and is not ready before path_wake. */
static inline void path_sleep(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot);

/* ---- Defined by single.h or several.h ---- */

static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet);

static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome);

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set tickets);

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready);

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed);

#endif
