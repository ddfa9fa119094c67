/* Requests below the caches of the SM (docs/model/memory.md). A request's tickets[0] holds its info; bank_next links a queue,
 * bucket_next the requests that wait for it. First lane only. */
#ifndef WS_MEMORY_LEVELS_MESSAGE_H
#define WS_MEMORY_LEVELS_MESSAGE_H

#include "memory/dram/queue.h"

/* Kind of a request: a read for a cache of the SM (WS_CACHE_*), a load that bypasses them, a write or an atomic of the SM, or a
 * request of L2 to DRAM. */
enum { REQUEST_LOAD = WS_L1_CACHES, REQUEST_WRITE, REQUEST_ATOMIC, REQUEST_L2_WRITE, REQUEST_L2_READ };

/* Info in tickets[0]: ticket of the response (16 bits), kind, sectors, and for a line that L2 reads whether it is dirty on
 * arrival. */
#define REQUEST_DIRTY 0x80000000u

static inline u32 request_info(u32 kind, u32 who, u32 sectors)
{
    return who | kind << 16 | sectors << 20;
}

static inline u32 info_who(u32 info)
{
    return info & 0xFFFFu;
}

static inline u32 info_kind(u32 info)
{
    return info >> 16 & 15;
}

static inline u32 info_sectors(u32 info)
{
    return info >> 20 & 63;
}

/* A new request; there is room in the pool. */
static inline u32 message_take(PRIVATE const struct sm *sm, u32 line, u32 info)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    u32 index = levels->unused;
    if (index == 0)
        index = ++levels->fresh;
    else
        levels->unused = sm_request(sm, index)->bank_next;
    levels->used += 1;
    GLOBAL struct ws_request *request = sm_request(sm, index);
    request->line = line;
    request->bank_next = request->bucket_next = 0;
    request->tickets[0] = info;
    return index;
}

static inline void message_free(PRIVATE const struct sm *sm, u32 index)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    sm_request(sm, index)->bank_next = (u16)levels->unused;
    levels->unused = index;
    levels->used -= 1;
}

/* Whether the pool must grow before the next cycle. */
static inline u32 pool_crowded(PRIVATE const struct sm *sm)
{
    const u32 room = sm->plan->requests;
    return sm_levels(sm)->used + POOL_MARGIN > room && room < WS_LEVELS_MOST;
}

#endif
