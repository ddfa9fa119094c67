/* Packets in flight: in the pipeline, or waiting for memory after it. A pipeline defines:
 *   flight_accesses          what the lanes of a packet access, once its lines are gathered
 *   flight_ticket        the ticket of the lines that a packet misses
 *   flight_begins        the packet occupies the pipeline until a cycle, then its outcome takes effect
 *   flight_data_arrives  lines have arrived
 *   flight_completes     completes packets in this cycle; returns whether a barrier may be complete
 *   flight_releases      releases barriers
 *   flight_open          initializes before the first quantum; first lane only
 *   flight_rebase        rebases its times outside the kept fields to the next quantum; first lane only */
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
