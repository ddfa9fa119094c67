/* A set of a cache: the tags of its ways; for lines of several sectors those of each way; then words of the replacement policy. A
 * tag is a line << 2 with WS_TAG_VALID and WS_TAG_DIRTY; 0 is an invalid way. A way reserved by a miss (docs/model/memory.md) has
 * the number of its read in flight << 2 with TAG_RESERVED alone, or, with several sectors, its line and the sectors in flight.
 * First lane only. */
#ifndef WS_MEMORY_CACHE_SET_H
#define WS_MEMORY_CACHE_SET_H

#include "state/counts.h"

enum { TAG_STATE = 3, TAG_RESERVED = 2 };

#define CACHE_MISS 0xFFFFFFFFu

struct cache_set {
    GLOBAL u32 *tags;
    u32 ways, replacement;
    u32 sectors; /* of a line */
    u32 line;    /* line of the lookup: its first granule, */
    u32 sector;  /* and its sector, one bit */
};

/* The set, of a cache whose tags start at tags, in which a granule is looked up. */
static inline struct cache_set cache_set_of(PRIVATE const struct sm *sm, GLOBAL u32 *tags, u32 cache, u32 granule)
{
    const u32 shift = PLAN_OF(sm, cache_shift, cache), sets = PLAN_OF(sm, cache_sets, cache), number = granule >> shift;
    const u32 place = cache == WS_CACHE_L2 ? number % sets : number & (sets - 1), sectors = PLAN_OF(sm, cache_sectors, cache);
    const struct cache_set set = {tags + place * PLAN_OF(sm, cache_words, cache),
                                  PLAN_OF(sm, cache_ways, cache),
                                  PLAN_OF(sm, cache_replacement, cache),
                                  sectors,
                                  number << shift,
                                  ws_bit(granule >> PLAN_OF(sm, sector_shift, cache) & (sectors - 1))};
    return set;
}

static inline u32 cache_tag(u32 line)
{
    return line << 2 | WS_TAG_VALID;
}

/* Bit n of a word: sector n of the line in the way is valid; bit n + SECTORS_IN_FLIGHT: it is in flight. */
enum { SECTORS_IN_FLIGHT = 16 };

static inline GLOBAL u32 *set_sectors(PRIVATE const struct cache_set *set, u32 way)
{
    return set->tags + set->ways + way;
}

/* State of the replacement policy. */
static inline GLOBAL u32 *set_words(PRIVATE const struct cache_set *set)
{
    return set->tags + (set->sectors > 1 ? 2 * set->ways : set->ways);
}

static inline u32 tag_is_reserved(u32 tag)
{
    return (tag & TAG_STATE) == TAG_RESERVED;
}

static inline u32 way_is_reserved(PRIVATE const struct cache_set *set, u32 way)
{
    return set->sectors > 1 ? *set_sectors(set, way) >> SECTORS_IN_FLIGHT != 0 : tag_is_reserved(set->tags[way]);
}

/* Way of the line, or CACHE_MISS; writes: lines of the cache can be dirty. A constant 1 is returned with one work-item per lane,
 * where the test would cost registers. */
static inline u32 cache_find_line(PRIVATE const struct cache_set *set, u32 writes)
{
    const u32 tag = cache_tag(set->line);
    for (u32 way = 0; way < set->ways; ++way)
        if ((set->tags[way] & ~(LANE_COPIES == 1 || writes ? WS_TAG_DIRTY : 0u)) == tag)
            return way;
    return CACHE_MISS;
}

/* The same if the sector is valid. */
static inline u32 cache_find(PRIVATE const struct cache_set *set, u32 writes)
{
    const u32 way = cache_find_line(set, writes);
    return set->sectors > 1 && way != CACHE_MISS && !(*set_sectors(set, way) & set->sector) ? CACHE_MISS : way;
}

/* The line arrives for which a read has reserved a way. */
static inline void cache_comes(PRIVATE const struct cache_set *set, u32 read, u32 dirty)
{
    GLOBAL u32 *tag = set->tags;
    while (*tag != (read << 2 | TAG_RESERVED))
        ++tag;
    *tag = cache_tag(set->line) | (dirty ? WS_TAG_DIRTY : 0u);
}

/* Invalidates the sector, which is valid, and the way with its last sector. */
static inline void cache_drop(PRIVATE const struct cache_set *set, u32 way)
{
    if (set->sectors == 1 || (*set_sectors(set, way) &= ~set->sector) == 0)
        set->tags[way] = 0;
}

#endif
