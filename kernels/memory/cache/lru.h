/* LRU replacement: a set is in the order of last touches. */
#ifndef WS_MEMORY_CACHE_LRU_H
#define WS_MEMORY_CACHE_LRU_H

#include "memory/cache/order.h"

static inline u32 lru_touch(PRIVATE const struct cache_set *set, u32 way)
{
    return order_front(set, way);
}

static inline u32 lru_victim(PRIVATE const struct cache_set *set, u32 from)
{
    return order_last(from);
}

static inline u32 lru_fill(PRIVATE const struct cache_set *set, u32 way)
{
    return order_front(set, way);
}

#endif
