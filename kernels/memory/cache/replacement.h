/* Cache replacement (docs/model/memory.md). A policy NAME of shared/replacements.def defines
 *   NAME_victim   the way that the line takes, of those in a mask, which are valid and not reserved; changes nothing
 *   NAME_fill     a line takes a way, whose tag is still the previous one, 0 if invalid; returns the way's new position
 *   NAME_touch    the line in a way is touched; returns the way's new position
 * Ways may change positions. First lane only. */
#ifndef WS_MEMORY_CACHE_REPLACEMENT_H
#define WS_MEMORY_CACHE_REPLACEMENT_H

#define REPLACEMENT_FILES
#include "shared/replacements.def"
#undef REPLACEMENT_FILES

static inline u32 cache_touch(PRIVATE const struct cache_set *set, u32 way)
{
#define REPLACEMENT(name, value, words, doc)                                                                                       \
    if (set_replacement(set) == WS_replacement_##name)                                                                             \
        return name##_touch(set, way);
#include "shared/replacements.def"
    return way;
}

/* The way that the line would take, CACHE_MISS if all are reserved. In ordered sets it is the last way that is not reserved. */
static inline u32 cache_way(PRIVATE const struct cache_set *set)
{
    const u32 ways = set_ways(set), ordered = set_is_ordered(set);
    u32 from = 0;
    for (u32 n = 0; n < ways && !(ordered && from != 0); ++n) {
        const u32 way = ordered ? ways - 1 - n : n;
        if (set->tags[way] == 0)
            return way;
        from |= way_is_reserved(set, way) ? 0u : ws_bit(way);
    }
    if (from == 0)
        return CACHE_MISS;
#define REPLACEMENT(name, value, words, doc)                                                                                       \
    if (set_replacement(set) == WS_replacement_##name)                                                                             \
        return name##_victim(set, from);
#include "shared/replacements.def"
    return CACHE_MISS;
}

/* A line takes a way; returns the way's new position. */
static inline u32 cache_enter(PRIVATE const struct cache_set *set, u32 way)
{
#define REPLACEMENT(name, value, words, doc)                                                                                       \
    if (set_replacement(set) == WS_replacement_##name)                                                                             \
        return name##_fill(set, way);
#include "shared/replacements.def"
    return way;
}

/* The same with its tag, and its sector valid or in flight. */
static inline u32 cache_take(PRIVATE const struct cache_set *set, u32 way, u32 tag, u32 sectors)
{
    way = cache_enter(set, way);
    set->tags[way] = tag;
    if (set_is_sectored(set))
        *set_sectors(set, way) = sectors;
    return way;
}

/* Reserves a way for a read in flight; the way may have the line. Returns the way's new position. */
static inline u32 cache_reserve(PRIVATE const struct cache_set *set, u32 way, u32 read, u32 has_line)
{
    const u32 sector = set_sector(set) << SECTORS_IN_FLIGHT;
    if (!has_line)
        return cache_take(set, way, set_is_sectored(set) ? cache_tag(set_line(set)) : read << 2 | TAG_RESERVED, sector);
    way = cache_touch(set, way);
    *set_sectors(set, way) |= sector;
    return way;
}

/* Invalidates the sector, which is valid, and the way with its last sector. */
static inline void cache_drop(PRIVATE const struct cache_set *set, u32 way)
{
    if (set_is_sectored(set) && (*set_sectors(set, way) &= ~set_sector(set)) != 0)
        return;
    set->tags[way] = 0;
    if (set_is_ordered(set))
        order_back(set, way);
}

/* What was looked up arrives, as a line or as a sector of one that is there. Returns the tag of the victim, 0 for none. */
static inline u32 cache_fill(PRIVATE const struct cache_set *set, u32 dirty)
{
    u32 way = set_is_sectored(set) ? cache_find_line(set, 0) : CACHE_MISS;
    if (way != CACHE_MISS) {
        *set_sectors(set, cache_touch(set, way)) |= set_sector(set);
        return 0;
    }
    way = cache_way(set);
    const u32 victim = set->tags[way];
    cache_take(set, way, cache_tag(set_line(set)) | dirty, set_sector(set));
    return victim;
}

#endif
