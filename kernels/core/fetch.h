/* Instruction fetch (docs/model.md 5, instruction cache). */
#ifndef WS_CORE_FETCH_H
#define WS_CORE_FETCH_H

#include "memory/dram.h"

enum fetch { FETCH_HIT, FETCH_MISS, FETCH_FULL };

/* Granule of the first byte of an instruction's line. */
static inline u32 code_line(PRIVATE const struct sm *sm, u32 pc)
{
    const u32 number = pc >> sm->plan->code_line_shift;
    return WS_CODE_GRANULE + (number << (sm->plan->code_line_shift - sm->plan->code_shift));
}

/* A miss: merges with the read in flight or starts one. In the first lane. */
static inline u32 fetch_miss(PRIVATE struct sm *sm, u32 warp, u32 line)
{
    u32 request = request_find(sm, line);
    if (request == 0 && sm_memory(sm)->held == sm->machine->dram_queue)
        return FETCH_FULL;
    count(sm, WS_COUNT_fetches, 1);
    count(sm, WS_COUNT_icache_misses, 1);
    if (request == 0)
        request = dram_read(sm, line, WS_REQUEST_CODE);
    else
        count(sm, WS_COUNT_icache_merges, 1);
    sm_request(sm, request)->waiters |= ws_bit(warp);
    return FETCH_MISS;
}

/* Looks up the instruction at pc for a warp. A hit changes nothing until fetch_taken. */
static inline u32 fetch(PRIVATE struct sm *sm, u32 warp, u32 pc)
{
    u32 outcome = FETCH_HIT, fill_at = sm->fill_at;
    if (sm->machine->icache_size == 0)
        return FETCH_HIT;
    if (lane_first()) {
        const u32 line = code_line(sm, pc);
        if (cache_find(icache_set(sm, line), sm->machine->icache_ways, line) == CACHE_MISS) {
            outcome = fetch_miss(sm, warp, line);
            fill_at = bus_next(sm);
        }
    }
    outcome = lanes_from_first(&sm->lanes, outcome);
    if (outcome == FETCH_MISS) {
        sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
        sm->code_missing |= ws_bit(warp);
        sm->changed = 1;
    }
    return outcome;
}

/* Whether using the instruction at pc leaves the cache as it is: in any lane. */
static inline u32 fetch_is_settled(PRIVATE const struct sm *sm, u32 pc)
{
    const u32 line = code_line(sm, pc);
    return sm->machine->icache_size == 0 || icache_set(sm, line)[0] == cache_tag(line);
}

/* The instruction at pc is used: counted, and its line touched. */
static inline void fetch_taken(PRIVATE struct sm *sm, u32 pc)
{
    count(sm, WS_COUNT_fetches, 1);
    if (sm->machine->icache_size != 0 && lane_first()) {
        const u32 line = code_line(sm, pc);
        GLOBAL u32 *set = icache_set(sm, line);
        if (set[0] != cache_tag(line))
            cache_touch(set, cache_find(set, sm->machine->icache_ways, line));
    }
}

#endif
