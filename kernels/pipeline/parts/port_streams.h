/* Accesses from the streams of a packet's threads. */
#ifndef WS_PIPELINE_PARTS_PORT_STREAMS_H
#define WS_PIPELINE_PARTS_PORT_STREAMS_H

#include "pipeline/parts/port.h"

static inline void port_gather(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    PER_LANE(u32, address);
    path_threads(sm, packet, packet->lanes);
    peek_accesses(sm, &packet->threads, address);
    if (packet->instruction->space == WS_SPACE_global)
        access_lines(sm, packet->instruction->class_, address, packet->lanes, &packet->access);
    else
        access_shared(sm, packet->instruction->class_, packet->instruction->bytes, address, packet->lanes, &packet->access);
    flight_accesses(sm, packet, address); /* the turns of atomics use its scratch memory */
}

static inline void port_gathered(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    take(&packet->threads, sm_accesses(sm));
}

#endif
