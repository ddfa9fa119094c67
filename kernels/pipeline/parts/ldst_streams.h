/* Accesses from the streams of a packet's threads. */
#ifndef WS_PIPELINE_PARTS_LDST_STREAMS_H
#define WS_PIPELINE_PARTS_LDST_STREAMS_H

#include "path/streams.h"
#include "pipeline/parts/accesses.h"

/* Region of the granules of constants and textures, whose addresses are distinct from those of global memory. */
static inline u32 region_of(u32 space)
{
    return space == WS_SPACE_constant ? WS_CONSTANT_GRANULE : WS_TEXTURE_GRANULE;
}

/* Counts the granules that lanes touch in each of the lines gathered. */
static inline void count_touched(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE const u32 *granule,
                                 PRIVATE const u32 *line, u32 lanes, u32 lines)
{
    const u32 leaders = lanes_leaders(&sm->lanes, granule, lanes);
    FOR_LANES (lane)
        sm->scratch->work[lane] = leaders >> lane & 1 ? line[OF(lane)] : WS_NEVER;
    lanes_fence(&sm->lanes);
    if (lane_first()) {
        for (u32 n = 0; n < lines; ++n) {
            u32 touched = 0;
            for (u32 lane = 0; lane < WS_LANES; ++lane)
                touched += sm->scratch->work[lane] == sm->scratch->lines[n];
            entry->sectors[n] = (u8)touched;
        }
    }
    lanes_fence(&sm->lanes);
}

/* Enters the lines of the lanes' granules, in order of their lowest lanes, and the sectors of each; line: of each lane. */
static inline void ldst_enter_lines(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet, u32 cache,
                                    PRIVATE u32 *line)
{
    PER_LANE(u32, granule);
    const u32 mask = packet->lanes, space = packet->instruction->space, class_ = packet->instruction->class_;
    const u32 offset = l1_granules(sm, cache) - 1, turns = space == WS_SPACE_global && takes_turns(sm, class_);
    u32 lines = 0;
    peek_accesses(sm, &packet->threads, granule);
    if (turns)
        lines = gather_turns(sm, granule, mask, offset);
    const u32 kept = space == WS_SPACE_global ? ws_global_granule(class_, 0xFFFFFFFFu) : 0xFFFFFFFFu;
    FOR_LANES (lane) {
        if (space != WS_SPACE_global)
            granule[OF(lane)] = region_of(space) + (granule[OF(lane)] / (WS_GRANULE_BYTES / 4) & (WS_REGION_GRANULES - 1));
        granule[OF(lane)] &= kept;
        line[OF(lane)] = granule[OF(lane)] & ~offset;
    }
    if (!turns) {
        lines = gather_keys(sm, line, lanes_leaders(&sm->lanes, line, mask));
        if (class_ != WS_CLASS_load)
            count_touched(sm, entry, granule, line, mask, lines);
    }
    packet->access.lines = lines;
    if (lane_first()) {
        entry->count = (u8)lines;
        for (u32 n = 0; n < lines; ++n)
            entry->line[n] = sm->scratch->lines[n];
        for (u32 n = 0; n < lines && turns; ++n)
            entry->sectors[n] = (u8)sm->scratch->touched[n];
    }
}

static inline void ldst_gather(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, PRIVATE struct packet *packet,
                               PRIVATE u32 *line)
{
    PER_LANE(u32, word);
    if (packet->instruction->space == WS_SPACE_shared) {
        peek_accesses(sm, &packet->threads, word);
        access_shared(sm, packet->instruction->class_, packet->instruction->bytes, word, packet->lanes, &packet->access);
        ldst_enter_passes(sm, entry, packet->access.passes);
    } else {
        ldst_enter_lines(sm, entry, packet, cache_of_space(packet->instruction->space), line);
    }
    take(&packet->threads, sm_accesses(sm));
}

#endif
