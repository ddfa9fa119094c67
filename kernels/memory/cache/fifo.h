/* FIFO replacement: a set is in the order of fills. */
#ifndef WS_MEMORY_CACHE_FIFO_H
#define WS_MEMORY_CACHE_FIFO_H

#include "memory/cache/order.h"

static inline u32 fifo_touch(PRIVATE const struct cache_set *set, u32 way)
{
    return way;
}

static inline u32 fifo_victim(PRIVATE const struct cache_set *set, u32 from)
{
    return order_last(from);
}

static inline u32 fifo_fill(PRIVATE const struct cache_set *set, u32 way)
{
    return order_front(set, way);
}

#endif
