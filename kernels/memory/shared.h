/* Banks of shared memory (docs/model.md 5). */
#ifndef WS_MEMORY_SHARED_H
#define WS_MEMORY_SHARED_H

#include "memory/coalesce.h"

/* An access to shared memory by the lanes in mask: passes by bank conflicts. */
static inline void access_shared(PRIVATE struct sm *sm, PRIVATE const u32 *word, u32 mask, PRIVATE struct access *access)
{
    u32 most = 0;
    access->lines = distinct_keys(sm, word, mask);
    access->misses = 0;
    if (lane_first()) {
        for (u32 bank = 0; bank < MACHINE(sm, memory_shared_banks); ++bank)
            sm->scratch->work[bank] = 0;
        for (u32 n = 0; n < access->lines; ++n) {
            const u32 bank = sm->scratch->lines[n] & (MACHINE(sm, memory_shared_banks) - 1);
            most = ws_max(most, ++sm->scratch->work[bank]);
        }
    }
    access->passes = lanes_from_first(&sm->lanes, most);
}

#endif
