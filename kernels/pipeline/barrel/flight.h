/* Packets in flight: those in the pipeline, and those that wait for memory behind it. single.h, several.h or pooled.h defines:
 *   flight_asks          what the lanes of a packet access, once its lines are gathered
 *   flight_ticket        the ticket of the lines that a packet misses
 *   flight_begins        the packet is in the pipeline until a cycle, then its slot comes to an outcome
 *   flight_data_arrives  lines are there
 *   flight_completes     what completes in this cycle; says whether a barrier can let go
 *   flight_releases      barriers let go
 *   flight_awaits        slots that wait for data memory (docs/model.md 7), of those that are not ready
 *   flight_is_busy       whether a warp that the scheduler looks at has anything in flight where none is ready
 *   flight_next_event    next cycle at which anything but memory can change state; port: packets are ready and wait for the port,
 *                        and it does not matter whether more are
 *   flight_open          before the first slice; in the first lane
 *   flight_rebase        its cycles outside the kept fields, as those of the next slice; in the first lane */
#ifndef WS_PIPELINE_BARREL_FLIGHT_H
#define WS_PIPELINE_BARREL_FLIGHT_H

#include "memory/memory.h"
#include "pipeline/pipeline.h"

/* ---- Readiness: defined by lwm, which keeps it in sets, by single.h or pooled.h ---- */

/* Those that entered in the last cycle are ready. */
static inline void path_admit(PRIVATE struct sm *sm);

/* Slots that are ready. */
static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

/* ---- Defined by single.h, several.h or pooled.h ---- */

static inline void flight_asks(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, PRIVATE const u32 *address);

static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet);

static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome);

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set tickets);

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready);

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port);

static inline void flight_open(PRIVATE struct sm *sm);

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed);

/* Slots that await: for data, for an instruction line, at a barrier, for others of their path unit (docs/model.md 7). */
static inline slot_set awaiting(PRIVATE struct sm *sm, slot_set ready)
{
    return slots_or(slots_or(flight_awaits(sm, ready), sm->asleep), slots_or(sm->at_barrier, path_awaits(sm)));
}

#endif
