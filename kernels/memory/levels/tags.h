/* Tags of caches that reserve a way when they miss (docs/model.md 11). A tag is a line << 2 with TAG_VALID, and TAG_DIRTY; or the
 * number of the read in flight << 2 with TAG_RESERVED alone. The most recently touched way comes first. In the first lane. */
#ifndef WS_MEMORY_LEVELS_TAGS_H
#define WS_MEMORY_LEVELS_TAGS_H

#include "memory/cache.h"

enum { TAG_STATE = 3, TAG_VALID = WS_TAG_VALID, TAG_DIRTY = WS_TAG_DIRTY, TAG_RESERVED = 2 };

static inline u32 tag_is_reserved(u32 tag)
{
    return (tag & TAG_STATE) == TAG_RESERVED;
}

/* Way that a miss takes: the last in order that is not reserved, CACHE_MISS if all are. Invalid ways stand behind valid ones. */
static inline u32 tags_victim(GLOBAL const u32 *set, u32 ways)
{
    u32 way = ways;
    while (way > 0 && tag_is_reserved(set[way - 1]))
        --way;
    return way == 0 ? CACHE_MISS : way - 1;
}

/* Takes a way for the read in flight of a number, in front; returns the tag that is lost. */
static inline u32 tags_reserve(GLOBAL u32 *set, u32 way, u32 read)
{
    const u32 victim = set[way];
    for (; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = read << 2 | TAG_RESERVED;
    return victim;
}

/* The line of a read in flight has come. */
static inline void tags_fill(GLOBAL u32 *set, u32 read, u32 line, u32 dirty)
{
    while (*set != (read << 2 | TAG_RESERVED))
        ++set;
    *set = cache_tag(line) | (dirty ? TAG_DIRTY : 0u);
}

/* A valid way becomes invalid: the last in order. */
static inline void tags_drop(GLOBAL u32 *set, u32 ways, u32 way)
{
    for (; way + 1 < ways; ++way)
        set[way] = set[way + 1];
    set[ways - 1] = 0;
}

#endif
