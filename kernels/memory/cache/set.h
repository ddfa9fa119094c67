/* A set of a cache: the tags of its ways; for lines of several sectors those of each way; then words of the replacement policy. A
 * tag is a line << 2 with WS_TAG_VALID and WS_TAG_DIRTY; 0 is an invalid way. A way reserved by a miss (docs/model/memory.md) has
 * the number of its read in flight << 2 with TAG_RESERVED alone, or, with several sectors, its line and the sectors in flight.
 * First lane only. */
#ifndef WS_MEMORY_CACHE_SET_H
#define WS_MEMORY_CACHE_SET_H

#include "state/counts.h"

enum { TAG_STATE = 3, TAG_RESERVED = 2 };

#define CACHE_MISS 0xFFFFFFFFu

/* The set in which a granule is looked up; everything else is read from the plan when needed. */
struct cache_set {
    PRIVATE const struct sm *sm;
    GLOBAL u32 *tags;
    u32 cache, granule;
};

/* The set, of a cache whose tags start at tags, in which a granule is looked up. */
static inline struct cache_set cache_set_of(PRIVATE const struct sm *sm, GLOBAL u32 *tags, u32 cache, u32 granule)
{
    const u32 sets = PLAN_OF(sm, cache_sets, cache), number = granule >> PLAN_OF(sm, cache_shift, cache);
    const u32 place = cache == WS_CACHE_L2 ? number % sets : number & (sets - 1);
    const struct cache_set set = {sm, tags + place * PLAN_OF(sm, cache_words, cache), cache, granule};
    return set;
}

static inline u32 set_ways(PRIVATE const struct cache_set *set)
{
    return PLAN_OF(set->sm, cache_ways, set->cache);
}

static inline u32 set_replacement(PRIVATE const struct cache_set *set)
{
    return PLAN_OF(set->sm, cache_replacement, set->cache);
}

/* Whether ways are kept in the order of touches or fills, and invalid ones last (order.h). With one work-item per lane nothing
 * relies on the latter, which would cost registers. */
static inline u32 set_is_ordered(PRIVATE const struct cache_set *set)
{
    return LANE_COPIES > 1 && (set_replacement(set) == WS_replacement_lru || set_replacement(set) == WS_replacement_fifo);
}

/* Whether lines have several sectors. Only these two caches can (shared/caches.def); naming them saves registers on GPUs. */
static inline u32 set_is_sectored(PRIVATE const struct cache_set *set)
{
    return (set->cache == WS_CACHE_DATA || set->cache == WS_CACHE_L2) && PLAN_OF(set->sm, cache_sectors, set->cache) > 1;
}

/* The first granule of the line, and its sector, one bit. */
static inline u32 set_line(PRIVATE const struct cache_set *set)
{
    const u32 shift = PLAN_OF(set->sm, cache_shift, set->cache);
    return set->granule >> shift << shift;
}

static inline u32 set_sector(PRIVATE const struct cache_set *set)
{
    return ws_bit(set->granule >> PLAN_OF(set->sm, sector_shift, set->cache) & (PLAN_OF(set->sm, cache_sectors, set->cache) - 1));
}

static inline u32 cache_tag(u32 line)
{
    return line << 2 | WS_TAG_VALID;
}

/* Bit n of a word: sector n of the line in the way is valid; bit n + SECTORS_IN_FLIGHT: it is in flight. */
enum { SECTORS_IN_FLIGHT = 16 };

static inline GLOBAL u32 *set_sectors(PRIVATE const struct cache_set *set, u32 way)
{
    return set->tags + set_ways(set) + way;
}

/* State of the replacement policy. */
static inline GLOBAL u32 *set_words(PRIVATE const struct cache_set *set)
{
    return set->tags + (set_is_sectored(set) ? 2 * set_ways(set) : set_ways(set));
}

static inline u32 tag_is_reserved(u32 tag)
{
    return (tag & TAG_STATE) == TAG_RESERVED;
}

static inline u32 way_is_reserved(PRIVATE const struct cache_set *set, u32 way)
{
    return set_is_sectored(set) ? *set_sectors(set, way) >> SECTORS_IN_FLIGHT != 0 : tag_is_reserved(set->tags[way]);
}

/* Way of the line, or CACHE_MISS; writes: lines of the cache can be dirty. A constant 1 is returned with one work-item per lane,
 * where the test would cost registers. */
static inline u32 cache_find_line(PRIVATE const struct cache_set *set, u32 writes)
{
    const u32 tag = cache_tag(set_line(set));
    for (u32 way = 0; way < set_ways(set); ++way)
        if ((set->tags[way] & ~(LANE_COPIES == 1 || writes ? WS_TAG_DIRTY : 0u)) == tag)
            return way;
    return CACHE_MISS;
}

/* The same if the sector is valid. */
static inline u32 cache_find(PRIVATE const struct cache_set *set, u32 writes)
{
    const u32 way = cache_find_line(set, writes);
    return set_is_sectored(set) && way != CACHE_MISS && !(*set_sectors(set, way) & set_sector(set)) ? CACHE_MISS : way;
}

/* Whether the granule looked up is valid in the way found, which may be CACHE_MISS; whether it is in flight to it. */
static inline u32 cache_hits(PRIVATE const struct cache_set *set, u32 way)
{
    if (way == CACHE_MISS)
        return 0;
    return set_is_sectored(set) ? (*set_sectors(set, way) & set_sector(set)) != 0 : !tag_is_reserved(set->tags[way]);
}

static inline u32 cache_in_flight(PRIVATE const struct cache_set *set, u32 way)
{
    if (way == CACHE_MISS)
        return 0;
    return set_is_sectored(set) ? (*set_sectors(set, way) & set_sector(set) << SECTORS_IN_FLIGHT) != 0
                                : tag_is_reserved(set->tags[way]);
}

/* The granule arrives for which a read has reserved a way. */
static inline void cache_comes(PRIVATE const struct cache_set *set, u32 read, u32 dirty)
{
    GLOBAL u32 *tag = set->tags;
    if (set_is_sectored(set)) {
        *set_sectors(set, cache_find_line(set, 1)) ^= set_sector(set) | set_sector(set) << SECTORS_IN_FLIGHT;
        return;
    }
    while (*tag != (read << 2 | TAG_RESERVED))
        ++tag;
    *tag = cache_tag(set_line(set)) | (dirty ? WS_TAG_DIRTY : 0u);
}

#endif
