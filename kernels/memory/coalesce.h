/* What the lanes of a packet access together (docs/model.md 5). */
#ifndef WS_MEMORY_COALESCE_H
#define WS_MEMORY_COALESCE_H

#include "memory/cache.h"

/* An access on its way through the port. */
struct access {
    u32 lines;  /* distinct lines; of shared memory: words */
    u32 passes; /* cycles for which it holds the port; 0: none */
    u32 misses; /* lines that the packet has to wait for */
};

/* Gathers the distinct keys of the lanes in mask into local memory, lowest lane first, with the
 * lane that brought each, and returns how many there are. */
static inline u32 distinct_keys(PRIVATE struct sm *sm, PRIVATE const u32 *key, u32 mask)
{
    const u32 leaders = lanes_leaders(&sm->lanes, key, mask);
    FOR_TURNS (lane, rank, leaders, 0) {
        sm->scratch->lines[rank] = key[OF(lane)];
        sm->scratch->leads[rank] = lane;
    }
    lanes_fence(&sm->lanes);
    return ws_popcount(leaders);
}

#endif
