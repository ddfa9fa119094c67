/* Single-level memory as pipelines see it. It knows no warps: an access that waits for a line leaves a ticket (memory/tickets.h).
 *   access_lines    prepares an access of a packet's lanes                                    memory/l1.h
 *   access_room     the room in the queue that it waits for                                   memory/l1.h
 *   access_send     sends it                                                                  memory/l1.h
 *   access_shared   prepares an access to shared memory, which never waits                    memory/shared.h
 *   icache_fetch    looks up an instruction; icache_touch when it is used                     memory/icache.h
 *   memory_arrives  the next line to arrive, with its tickets; dram_goes_on skips what no warp waits for   memory/dram/dram.h */
#ifndef WS_MEMORY_MEMORY_H
#define WS_MEMORY_MEMORY_H

#include "memory/icache.h"
#include "memory/l1.h"
#include "memory/shared.h"

/* A burst that has ended. */
struct arrival {
    u32 flags; /* WS_REQUEST_WRITE, WS_REQUEST_CODE */
    waiters waiting;
};

/* Puts the line of a retired read into its cache; a dirty victim is written back. First lane only. */
static inline void memory_fill(PRIVATE struct sm *sm, u32 index)
{
    const u32 line = sm_request(sm, index)->line, flags = request_flags(sm, index);
    if (flags & WS_REQUEST_CODE) {
        const struct cache_set set = icache_set(sm, line);
        cache_fill(&set, 0);
    } else if (!MACHINE(sm, l1_bypass)) {
        const struct cache_set set = l1_set(sm, line);
        const u32 victim = cache_fill(&set, flags & WS_REQUEST_DIRTY ? WS_TAG_DIRTY : 0u);
        if (victim & WS_TAG_DIRTY) {
            count(sm, WS_COUNT_l1_writebacks, 1);
            dram_request(sm, victim >> 2, WS_REQUEST_WRITE);
        }
    }
}

/* Handles the event of this cycle. A read fills its cache; an event that only frees room looks like the end of a write. */
static inline void memory_arrives(PRIVATE struct sm *sm, PRIVATE struct arrival *arrival)
{
    u32 flags = WS_REQUEST_WRITE, fill_at = 0;
    waiters waiting = slots_none();
    if (lane_first()) {
        const u32 index = dram_take(sm);
        if (index != 0) {
            flags = request_flags(sm, index);
            waiting = waiters_of(sm_request(sm, index));
        }
        if (!(flags & WS_REQUEST_WRITE))
            memory_fill(sm, index);
        fill_at = dram_next(sm);
    }
    arrival->flags = lanes_from_first(&sm->lanes, flags);
    arrival->waiting = slots_from_first(&sm->lanes, waiting);
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
}

#endif
