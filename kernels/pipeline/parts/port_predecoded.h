/* Accesses from the pre-decoded packets of a warp (shared/packets.h). */
#ifndef WS_PIPELINE_PARTS_PORT_PREDECODED_H
#define WS_PIPELINE_PARTS_PORT_PREDECODED_H

#include "pipeline/parts/port.h"
#include "shared/packets.h"

static inline void port_gather(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
    const u32 header = packet->header;
    GLOBAL const u32 *line = sm->words + packet->record + ws_packet_lines_at(header);
    packet->access.lines = packet->access.passes = WS_PACKET_PASSES(header);
    if (!(header & WS_PACKET_LINES))
        return;
    FOR_LANES_OF (lane, ws_bits_below(packet->access.lines))
        sm->scratch->lines[lane] = line[lane];
    lanes_fence(&sm->lanes);
}

static inline void port_gathered(PRIVATE struct sm *sm, PRIVATE struct packet *packet)
{
}

#endif
