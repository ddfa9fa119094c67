/* Static re-reference interval prediction: hit priority, two bits. The predictions of all ways are two words, the low bits and the
 * high ones. */
#ifndef WS_MEMORY_CACHE_SRRIP_H
#define WS_MEMORY_CACHE_SRRIP_H

#include "memory/cache/set.h"

static inline u32 srrip_touch(PRIVATE const struct cache_set *set, u32 way)
{
    GLOBAL u32 *words = set_words(set);
    words[0] &= ~ws_bit(way);
    words[1] &= ~ws_bit(way);
    return way;
}

/* The lowest way of those with the largest prediction: they reach 3 first. */
static inline u32 srrip_victim(PRIVATE const struct cache_set *set, u32 from)
{
    GLOBAL const u32 *words = set_words(set);
    const u32 high = from & words[1], largest = high != 0 ? high : from;
    return ws_ctz((largest & words[0]) != 0 ? largest & words[0] : largest);
}

static inline u32 srrip_fill(PRIVATE const struct cache_set *set, u32 way)
{
    GLOBAL u32 *words = set_words(set);
    while (set->tags[way] != 0 && !(words[0] & words[1] & ws_bit(way))) {
        const u32 low = words[0], high = words[1];
        words[0] = ~low | high;
        words[1] = low | high;
    }
    words[0] &= ~ws_bit(way);
    words[1] |= ws_bit(way);
    return way;
}

#endif
