/* Sets with ordered ways: the way moved to the front last comes first. */
#ifndef WS_MEMORY_CACHE_ORDER_H
#define WS_MEMORY_CACHE_ORDER_H

#include "memory/cache/set.h"

/* Moves a way to the front. */
static inline u32 order_front(PRIVATE const struct cache_set *set, u32 way)
{
    const u32 tag = set->tags[way];
    for (u32 n = way; n > 0; --n)
        set->tags[n] = set->tags[n - 1];
    set->tags[0] = tag;
    if (set_is_sectored(set)) {
        const u32 sectors = *set_sectors(set, way);
        for (u32 n = way; n > 0; --n)
            *set_sectors(set, n) = *set_sectors(set, n - 1);
        *set_sectors(set, 0) = sectors;
    }
    return 0;
}

/* Moves an invalid way to the back. */
static inline void order_back(PRIVATE const struct cache_set *set, u32 way)
{
    for (; way + 1 < set_ways(set); ++way) {
        set->tags[way] = set->tags[way + 1];
        if (set_is_sectored(set))
            *set_sectors(set, way) = *set_sectors(set, way + 1);
    }
    set->tags[way] = 0;
    if (set_is_sectored(set))
        *set_sectors(set, way) = 0;
}

/* The last of some ways. */
static inline u32 order_last(u32 ways)
{
    return 31 - ws_clz(ways);
}

#endif
