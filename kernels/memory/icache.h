/* The instruction cache (docs/model/memory.md). */
#ifndef WS_MEMORY_ICACHE_H
#define WS_MEMORY_ICACHE_H

#include "memory/cache/replacement.h"
#include "memory/dram/dram.h"

enum fetch { FETCH_HIT, FETCH_MISS, FETCH_FULL };

/* Granule of the first byte of an instruction's line. */
static inline u32 code_line(PRIVATE const struct sm *sm, u32 pc)
{
    const u32 number = pc >> PLAN(sm, code_line_shift);
    return WS_CODE_GRANULE + (number << (PLAN(sm, code_line_shift) - PLAN(sm, code_shift)));
}

/* Set of an instruction line, given as the granule of its first byte. */
static inline struct cache_set icache_set(PRIVATE const struct sm *sm, u32 line)
{
    return cache_set_of(sm, sm_icache(sm), WS_CACHE_CODE, line);
}

/* Whether a line is present. First lane only. */
static inline u32 icache_has(PRIVATE const struct sm *sm, u32 line)
{
    const struct cache_set set = icache_set(sm, line);
    return cache_find(&set, 0) != CACHE_MISS;
}

/* Whether the use of the instruction at pc would leave the cache unchanged. Any lane. */
static inline u32 icache_is_settled(PRIVATE const struct sm *sm, u32 pc)
{
    const u32 line = code_line(sm, pc);
    return MACHINE(sm, icache_size) == 0 || icache_set(sm, line).tags[0] == cache_tag(line);
}

/* Touches the line of the instruction at pc, which is used. */
static inline void icache_touch(PRIVATE const struct sm *sm, u32 pc)
{
    if (MACHINE(sm, icache_size) != 0 && lane_first() && !icache_is_settled(sm, pc)) {
        const struct cache_set set = icache_set(sm, code_line(sm, pc));
        cache_touch(&set, cache_find(&set, 0));
    }
}

/* A miss: merges with the read in flight or starts one. First lane only. */
static inline u32 icache_miss(PRIVATE struct sm *sm, u32 line, u32 ticket)
{
    u32 request = request_find(sm, line);
    dram_is_sent(sm);
    if (request == 0 && sm_memory(sm)->held == MACHINE(sm, dram_queue))
        return FETCH_FULL;
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_icache_misses, 1);
    if (request == 0)
        request = dram_read(sm, line, WS_REQUEST_CODE);
    else
        count(sm, WS_COUNT_icache_merges, 1);
    ticket_of_slot(sm, request, ticket);
    return FETCH_MISS;
}

/* Looks up the instruction at pc; a miss leaves its slot as ticket. A hit changes nothing until icache_touch. */
static inline u32 icache_fetch(PRIVATE struct sm *sm, u32 pc, u32 ticket)
{
    u32 outcome = FETCH_HIT, fill_at = sm->fill_at;
    if (MACHINE(sm, icache_size) == 0)
        return FETCH_HIT;
    if (lane_first() && !icache_has(sm, code_line(sm, pc))) {
        outcome = icache_miss(sm, code_line(sm, pc), ticket) | queue_crowded(sm);
        fill_at = dram_next(sm);
    }
    outcome = lanes_from_first(&sm->lanes, outcome);
    if (outcome == FETCH_HIT || outcome == FETCH_FULL)
        return outcome;
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
    queue_sent(sm, outcome);
    return FETCH_MISS;
}

#endif
