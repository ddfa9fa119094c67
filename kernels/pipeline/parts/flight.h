/* Packets in flight: those in the pipeline, and those that wait for memory behind it. A pipeline defines:
 *   flight_accesses          what the lanes of a packet access, once its lines are gathered
 *   flight_ticket        the ticket of the lines that a packet misses
 *   flight_begins        the packet is in the pipeline until a cycle, then its slot comes to an outcome
 *   flight_data_arrives  lines are there
 *   flight_completes     what completes in this cycle; says whether a barrier can let go
 *   flight_releases      barriers let go
 *   flight_open          before the first quantum; in the first lane
 *   flight_rebase        its cycles outside the kept fields, as those of the next slice; in the first lane */
#ifndef WS_PIPELINE_PARTS_FLIGHT_H
#define WS_PIPELINE_PARTS_FLIGHT_H

#include "memory/memory.h"
#include "pipeline/pipeline.h"

static inline void flight_accesses(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, PRIVATE const u32 *address);

static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet);

static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome);

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, waiters waiting);

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes);

static inline void flight_open(PRIVATE struct sm *sm);

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed);

#endif
