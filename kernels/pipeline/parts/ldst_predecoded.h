/* Accesses from the pre-decoded packets of a warp (shared/packets.h). */
#ifndef WS_PIPELINE_PARTS_LDST_PREDECODED_H
#define WS_PIPELINE_PARTS_LDST_PREDECODED_H

#include "pipeline/parts/accesses.h"
#include "shared/packets.h"

static inline void ldst_gather(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet,
                               PRIVATE u32 *line)
{
    const u32 header = packet->header, passes = WS_PACKET_PASSES(header);
    GLOBAL const u32 *words = sm->words + packet->record + ws_packet_lines_at(header);
    packet->access.lines = passes;
    if (!(header & WS_PACKET_LINES)) {
        ldst_enter_passes(sm, entry, passes);
        return;
    }
    if (lane_first()) {
        entry->count = (u8)passes;
        for (u32 n = 0; n < passes; ++n)
            entry->line[n] = words[n];
        for (u32 n = 0; n < passes && header & WS_PACKET_SECTORS; ++n)
            entry->sectors[n] = (u8)(words[passes + n / 4] >> n % 4 * 8);
    }
}

#endif
