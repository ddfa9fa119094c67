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
    if (set->replacement == WS_replacement_##name)                                                                                 \
        return name##_touch(set, way);
#include "shared/replacements.def"
    return way;
}

/* The way that the line would take, CACHE_MISS if all are reserved. */
static inline u32 cache_way(PRIVATE const struct sm *sm, PRIVATE const struct cache_set *set)
{
    u32 from = 0;
    for (u32 way = 0; way < set->ways; ++way) {
        if (set->tags[way] == 0)
            return way;
        from |= way_is_reserved(set, way) ? 0u : ws_bit(way);
    }
    if (from == 0)
        return CACHE_MISS;
#define REPLACEMENT(name, value, words, doc)                                                                                       \
    if (set->replacement == WS_replacement_##name)                                                                                 \
        return name##_victim(sm, set, from);
#include "shared/replacements.def"
    return CACHE_MISS;
}

/* A line takes a way; returns the way's new position. */
static inline u32 cache_enter(PRIVATE const struct cache_set *set, u32 way)
{
#define REPLACEMENT(name, value, words, doc)                                                                                       \
    if (set->replacement == WS_replacement_##name)                                                                                 \
        return name##_fill(set, way);
#include "shared/replacements.def"
    return way;
}

/* The same with its tag, and its sector valid or in flight. */
static inline u32 cache_take(PRIVATE const struct cache_set *set, u32 way, u32 tag, u32 sectors)
{
    way = cache_enter(set, way);
    set->tags[way] = tag;
    if (set->sectors > 1)
        *set_sectors(set, way) = sectors;
    return way;
}

#endif
