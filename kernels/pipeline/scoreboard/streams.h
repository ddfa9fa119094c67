/* Accesses from the streams of a packet's threads. */
#ifndef WS_PIPELINE_SCOREBOARD_STREAMS_H
#define WS_PIPELINE_SCOREBOARD_STREAMS_H

#include "path/streams.h"
#include "pipeline/scoreboard/ldst.h"

/* Region of the granules of constants and textures, which lie beside those of global memory. */
static inline u32 region_of(u32 space)
{
    return space == WS_SPACE_constant ? WS_CONSTANT_GRANULE : WS_TEXTURE_GRANULE;
}

/* Enters the lines of the lanes' granules, in order of their lowest lanes, and the sectors of each; line: that of each lane. */
static inline void ldst_enter_lines(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet, u32 cache,
                                    PRIVATE u32 *line)
{
    PER_LANE(u32, granule);
    const u32 mask = packet->lanes, space = packet->instruction->space, size = first_granules(sm, cache);
    peek_accesses(sm, &packet->threads, granule);
    FOR_LANES (lane) {
        if (space != WS_SPACE_global)
            granule[OF(lane)] = region_of(space) + (granule[OF(lane)] / (WS_GRANULE_BYTES / 4) & (WS_REGION_GRANULES - 1));
        line[OF(lane)] = granule[OF(lane)] & ~(size - 1);
    }
    packet->access.lines = distinct_keys(sm, line, mask);
    if (lane_first()) {
        entry->count = (u8)packet->access.lines;
        for (u32 n = 0; n < packet->access.lines; ++n)
            entry->line[n] = sm->scratch->lines[n];
    }
    if (packet->instruction->class_ == WS_CLASS_load)
        return;
    const u32 leaders = lanes_leaders(&sm->lanes, granule, mask);
    FOR_LANES (lane)
        sm->scratch->work[lane] = leaders >> lane & 1 ? line[OF(lane)] : WS_NEVER;
    lanes_fence(&sm->lanes);
    if (lane_first()) {
        for (u32 n = 0; n < packet->access.lines; ++n) {
            u32 sectors = 0;
            for (u32 lane = 0; lane < WS_LANES; ++lane)
                sectors += sm->scratch->work[lane] == sm->scratch->lines[n];
            entry->sectors[n] = (u8)sectors;
        }
    }
    lanes_fence(&sm->lanes);
}

static inline void ldst_gather(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet,
                               PRIVATE u32 *line)
{
    PER_LANE(u32, word);
    if (packet->instruction->space == WS_SPACE_shared) {
        peek_accesses(sm, &packet->threads, word);
        access_shared(sm, word, packet->lanes, &packet->access);
        ldst_enter_passes(sm, entry, packet->access.passes);
    } else {
        ldst_enter_lines(sm, entry, packet, cache_of_space(packet->instruction->space), line);
    }
    take(&packet->threads, sm_accesses(sm));
}

#endif
