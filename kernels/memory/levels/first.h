/* The caches of the SM: data, instructions, constants, textures (docs/model.md 11). In the first lane. */
#ifndef WS_MEMORY_LEVELS_FIRST_H
#define WS_MEMORY_LEVELS_FIRST_H

#include "memory/levels/send.h"
#include "memory/levels/tags.h"

enum access_outcome { ACCESS_HIT, ACCESS_WAITS, ACCESS_SENT, ACCESS_REFUSED };

/* Bytes of a line, as granules. */
static inline u32 first_granules(PRIVATE const struct sm *sm, u32 cache)
{
    return 1u << PLAN_OF(sm, first_shift, cache);
}

static inline GLOBAL u32 *first_set(PRIVATE const struct sm *sm, u32 cache, u32 line)
{
    const u32 set = line >> PLAN_OF(sm, first_shift, cache) & (PLAN_OF(sm, first_sets, cache) - 1);
    return sm_tags(sm) + PLAN_OF(sm, first_tags, cache) + set * PLAN_OF(sm, first_ways, cache);
}

/* First counter of a cache: hits, misses, merges stand one after the other. */
static inline u32 first_counter(u32 cache)
{
    return cache == WS_CACHE_DATA       ? WS_COUNT_l1_hits
           : cache == WS_CACHE_CODE     ? WS_COUNT_icache_hits
           : cache == WS_CACHE_CONSTANT ? WS_COUNT_constant_hits
                                        : WS_COUNT_texture_hits;
}

enum { COUNT_HITS, COUNT_MISSES, COUNT_MERGES };

/* Most accesses that wait for a line. */
static inline u32 first_merges(PRIVATE const struct sm *sm, u32 cache)
{
    return cache == WS_CACHE_DATA || cache == WS_CACHE_TEXTURE ? MACHINE(sm, l1_targets) : WS_MERGES;
}

/* Tickets of the accesses that wait for the line of a read in flight; reads are numbered through all caches. */
static inline GLOBAL u16 *first_joined(PRIVATE const struct sm *sm, u32 cache, u32 read)
{
    return sm_joined(sm) + PLAN_OF(sm, first_joined, cache) + (read - PLAN_OF(sm, first_reads, cache)) * first_merges(sm, cache);
}

/* Way of a line, valid or in flight, or CACHE_MISS. */
static inline u32 first_find(PRIVATE const struct sm *sm, u32 cache, GLOBAL const u32 *set, u32 line)
{
    const u32 ways = PLAN_OF(sm, first_ways, cache), writes = cache == WS_CACHE_DATA && MACHINE(sm, l1_store) == WS_store_back;
    const u32 valid = cache_find(set, ways, line, writes);
    if (valid != CACHE_MISS || sm_levels(sm)->in_flight[cache] == 0)
        return valid;
    for (u32 way = 0; way < ways; ++way)
        if (tag_is_reserved(set[way]) && sm_reads(sm)[set[way] >> 2].line == line)
            return way;
    return CACHE_MISS;
}

/* Joins the accesses that wait for a line. */
static inline u32 first_join(PRIVATE const struct sm *sm, u32 cache, u32 read, u32 ticket, u32 dirty)
{
    GLOBAL struct ws_read *reads = sm_reads(sm) + read;
    if (reads->joined == first_merges(sm, cache))
        return ACCESS_REFUSED;
    first_joined(sm, cache, read)[reads->joined] = (u16)ticket;
    reads->joined += 1;
    reads->dirty |= (u16)dirty;
    return ACCESS_WAITS;
}

/* Takes the first MSHR that is free; there is one. */
static inline u32 first_take_read(PRIVATE const struct sm *sm, u32 cache)
{
    u32 read = PLAN_OF(sm, first_reads, cache) + sm_levels(sm)->taken[cache];
    while (sm_reads(sm)[read].joined != 0)
        ++read;
    sm_levels(sm)->taken[cache] = read + 1 - PLAN_OF(sm, first_reads, cache);
    return read;
}

/* A miss: reserves a way and sends a read, and a write of a dirty victim. */
static inline u32 first_miss(PRIVATE struct sm *sm, u32 cache, GLOBAL u32 *set, u32 line, u32 ticket, u32 dirty)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 ways = PLAN_OF(sm, first_ways, cache), way = tags_victim(set, ways);
    const u32 mshrs = PLAN_OF(sm, first_reads, cache + 1) - PLAN_OF(sm, first_reads, cache);
    if (levels->in_flight[cache] == mshrs || way == CACHE_MISS)
        return ACCESS_REFUSED;
    const u32 writes = (set[way] & TAG_STATE) == (TAG_VALID | TAG_DIRTY);
    if (!send_room(sm, 1 + writes))
        return ACCESS_REFUSED;
    const u32 read = first_take_read(sm, cache);
    const u32 victim = tags_reserve(set, way, read);
    levels->in_flight[cache] += 1;
    sm_reads(sm)[read].line = line;
    sm_reads(sm)[read].dirty = 0;
    first_join(sm, cache, read, ticket, dirty);
    if (cache == WS_CACHE_DATA)
        count_most(sm, WS_COUNT_mshrs_most, levels->in_flight[cache]);
    send(sm, line, request_info(cache, read, 0));
    if (writes) {
        const u32 sectors = first_granules(sm, cache);
        count(sm, WS_COUNT_l1_writebacks, 1);
        send(sm, victim >> 2, request_info(REQUEST_WRITE, WS_NO_TICKET, sectors));
    }
    return ACCESS_WAITS;
}

/* A read through a cache, or a write that allocates in it: dirty. Counters follow counted, the first of three. */
static inline u32 first_access(PRIVATE struct sm *sm, u32 cache, u32 line, u32 ticket, u32 dirty)
{
    GLOBAL u32 *set = first_set(sm, cache, line);
    const u32 way = first_find(sm, cache, set, line), counters = first_counter(cache);
    if (way != CACHE_MISS && !tag_is_reserved(set[way])) {
        cache_touch(set, way);
        set[0] |= dirty ? TAG_DIRTY : 0u;
        count(sm, dirty ? WS_COUNT_l1_store_hits : counters + COUNT_HITS, 1);
        return ACCESS_HIT;
    }
    const u32 outcome =
        way != CACHE_MISS ? first_join(sm, cache, set[way] >> 2, ticket, dirty) : first_miss(sm, cache, set, line, ticket, dirty);
    if (outcome == ACCESS_REFUSED)
        return outcome;
    count(sm, dirty ? WS_COUNT_l1_store_misses : counters + COUNT_MISSES, 1);
    count(sm, counters + COUNT_MERGES, way != CACHE_MISS);
    return outcome;
}

/* A store of some sectors of a line that goes through L1 without allocating; its answer has a ticket. */
static inline u32 first_store(PRIVATE struct sm *sm, u32 line, u32 ticket, u32 sectors)
{
    GLOBAL u32 *set = first_set(sm, WS_CACHE_DATA, line);
    const u32 way = first_find(sm, WS_CACHE_DATA, set, line);
    const u32 hit = way != CACHE_MISS && !tag_is_reserved(set[way]);
    if (!send_room(sm, 1))
        return ACCESS_REFUSED;
    if (hit && MACHINE(sm, l1_store) == WS_store_evict)
        tags_drop(set, MACHINE(sm, l1_ways), way);
    else if (hit)
        cache_touch(set, way);
    count(sm, hit ? WS_COUNT_l1_store_hits : WS_COUNT_l1_store_misses, 1);
    send(sm, line, request_info(REQUEST_WRITE, ticket, sectors));
    return ACCESS_SENT;
}

/* An atomic access to some sectors of a line: past L1. */
static inline u32 first_atomic(PRIVATE struct sm *sm, u32 line, u32 ticket, u32 sectors)
{
    if (!send_room(sm, 1))
        return ACCESS_REFUSED;
    count(sm, WS_COUNT_l1_misses, 1);
    send(sm, line, request_info(REQUEST_ATOMIC, ticket, sectors));
    return ACCESS_WAITS;
}

/* The line of a read in flight is there; returns how many wait for it (first_joined). */
static inline u32 first_fill(PRIVATE const struct sm *sm, u32 cache, u32 read)
{
    GLOBAL struct ws_read *reads = sm_reads(sm) + read;
    const u32 joined = reads->joined;
    tags_fill(first_set(sm, cache, reads->line), read, reads->line, reads->dirty);
    reads->joined = 0;
    sm_levels(sm)->in_flight[cache] -= 1;
    sm_levels(sm)->taken[cache] = ws_min(sm_levels(sm)->taken[cache], read - PLAN_OF(sm, first_reads, cache));
    return joined;
}

#endif
