/* Random replacement. Its word counts the victims of the set. */
#ifndef WS_MEMORY_CACHE_RANDOM_H
#define WS_MEMORY_CACHE_RANDOM_H

#include "memory/cache/set.h"
#include "memory/hash.h"

static inline u32 random_touch(PRIVATE const struct cache_set *set, u32 way)
{
    return way;
}

static inline u32 random_victim(PRIVATE const struct cache_set *set, u32 from)
{
    const u32 drawn = scramble(set_line(set) + (*set_words(set) + MACHINE(set->sm, memory_seed)) * 0x9E3779B9u);
    for (u32 left = (drawn >> 16) * ws_popcount(from) >> 16; left > 0; --left)
        from &= from - 1;
    return ws_ctz(from);
}

static inline u32 random_fill(PRIVATE const struct cache_set *set, u32 way)
{
    *set_words(set) += set->tags[way] != 0;
    return way;
}

#endif
