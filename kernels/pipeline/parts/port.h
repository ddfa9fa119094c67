/* The data port and the SIMD lanes (docs/model/order.md, memory.md). */
#ifndef WS_PIPELINE_PARTS_PORT_H
#define WS_PIPELINE_PARTS_PORT_H

#include "pipeline/parts/flight.h"

/* ---- Defined by port_streams.h, or by port_predecoded.h where packets are pre-decoded ---- */

/* Gathers what the packet accesses. */
static inline void port_gather(PRIVATE struct sm *sm, PRIVATE struct packet *packet);

/* The gathered access has been made. */
static inline void port_gathered(PRIVATE struct sm *sm, PRIVATE struct packet *packet);

/* ---- Shared ---- */

/* Looks up what the packet accesses. Returns the room in the memory queue that it waits for, 0 for none. */
static inline u32 port_try(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    packet->access.passes = packet->access.misses = 0;
    packet->threads.mask = packet->threads.row = packet->threads.first = 0; /* gcc does not see that they are unused */
    if (!(packet->instruction->flags & WS_ADDRESSED) || packet->lanes == 0)
        return 0;
    port_gather(sm, packet);
    return packet->instruction->space == WS_SPACE_global ? access_room(sm, packet->instruction->class_, &packet->access) : 0;
}

/* Sends the packet's access. */
static inline void port_send(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    if (packet->access.passes == 0)
        return;
    port_gathered(sm, packet);
    if (packet->instruction->space == WS_SPACE_global) {
        access_send(sm, packet->instruction->class_, flight_ticket(sm, packet), &packet->access);
        readmit(sm);
        if (MACHINE(sm, memory_data_port) == WS_data_port_banks)
            packet->access.passes = 1;
    } else {
        count(sm, WS_COUNT_shared_accesses, 1);
        count(sm, WS_COUNT_shared_conflicts, packet->access.passes - 1);
    }
}

/* Cycles from the pipeline's end to the data of an access that hits. */
static inline u32 port_latency(PRIVATE const struct sm *sm, u32 class_, u32 space)
{
    return space == WS_SPACE_global && access_reads(sm, class_) ? MACHINE(sm, l1_latency) : 0;
}

/* The packet enters the SIMD lanes over entry cycles and holds the data port for its passes from now on. Returns the cycle in which
 * it leaves the pipeline. */
static inline u32 port_pass(PRIVATE struct sm *sm, u32 entry, u32 passes, u32 latency)
{
    const u32 entered = sm->now + entry;
    u32 passed = entered, leaves = entered;
    if (passes != 0) {
        const u32 start = ws_max(sm->now, sm->port_at);
        count(sm, WS_COUNT_data_port_busy, passes);
        sm->port_at = start + passes;
        passed = ws_max(passed, sm->port_at);
        leaves = ws_max(leaves, sm->port_at + latency);
    }
    sm->select_at = MACHINE(sm, memory_data_port) == WS_data_port_select ? passed : entered;
    return leaves - 1 + PLAN(sm, depth);
}

#endif
