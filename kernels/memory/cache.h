/* Sets of lines in order of their last touch (docs/model.md 5, LRU). All of it runs in the first lane. */
#ifndef WS_MEMORY_CACHE_H
#define WS_MEMORY_CACHE_H

#include "state/counts.h"

#define CACHE_MISS 0xFFFFFFFFu

static inline u32 cache_tag(u32 line)
{
    return line << 2 | WS_TAG_VALID;
}

/* Way of a line in its set, or CACHE_MISS; writes: lines of the cache can be dirty. Where lanes are apart that question costs
 * registers. */
static inline u32 cache_find(GLOBAL const u32 *set, u32 ways, u32 line, u32 writes)
{
    const u32 tag = cache_tag(line);
    for (u32 way = 0; way < ways; ++way)
        if ((set[way] & ~(LANE_COPIES == 1 || writes ? WS_TAG_DIRTY : 0u)) == tag)
            return way;
    return CACHE_MISS;
}

/* Moves a way to the front. */
static inline void cache_touch(GLOBAL u32 *set, u32 way)
{
    const u32 tag = set[way];
    for (; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = tag;
}

/* Puts a line in front and returns the tag word that drops out, 0 for none. */
static inline u32 cache_fill(GLOBAL u32 *set, u32 ways, u32 line, u32 dirty)
{
    const u32 victim = set[ways - 1];
    for (u32 way = ways - 1; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = cache_tag(line) | (dirty ? WS_TAG_DIRTY : 0u);
    return victim;
}

#endif
