/* The first-level caches of the SM: data, instructions, constants, textures (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_L1_H
#define WS_MEMORY_LEVELS_L1_H

#include "memory/cache/replacement.h"
#include "memory/levels/send.h"

enum access_outcome { ACCESS_HIT, ACCESS_WAITS, ACCESS_SENT, ACCESS_REFUSED };

/* Granules of a read: of a line or a sector. */
static inline u32 l1_granules(PRIVATE const struct sm *sm, u32 cache)
{
    return 1u << PLAN_OF(sm, sector_shift, cache);
}

static inline struct cache_set l1_set_of(PRIVATE const struct sm *sm, u32 cache, u32 line)
{
    return cache_set_of(sm, sm_tags(sm) + PLAN_OF(sm, l1_tags, cache), cache, line);
}

/* First counter of a cache; hits, misses and merges are consecutive. */
static inline u32 l1_counter(u32 cache)
{
#define CACHE(id, name, line, replacement, sectors, mshrs)                                                                         \
    if (cache == WS_CACHE_##id)                                                                                                    \
        return WS_COUNT_##name##_hits;
#include "shared/caches.def"
#undef CACHE
    return 0;
}

enum { COUNT_HITS, COUNT_MISSES, COUNT_MERGES };

/* Most accesses that wait for one line. */
static inline u32 l1_most_merges(PRIVATE const struct sm *sm, u32 cache)
{
    return cache == WS_CACHE_DATA || cache == WS_CACHE_TEXTURE ? MACHINE(sm, l1_targets) : WS_MERGES;
}

/* Way of the line, valid or in flight, or CACHE_MISS. */
static inline u32 l1_lookup(PRIVATE const struct sm *sm, u32 cache, PRIVATE const struct cache_set *set)
{
    const u32 writes = cache == WS_CACHE_DATA && MACHINE(sm, l1_store) == WS_store_back, valid = cache_find_line(set, writes);
    if (valid != CACHE_MISS || set_is_sectored(set) || sm_levels(sm)->in_flight[cache] == 0)
        return valid;
    for (u32 way = 0; way < set_ways(set); ++way)
        if (tag_is_reserved(set->tags[way]) && sm_reads(sm)[set->tags[way] >> 2].line == set_line(set))
            return way;
    return CACHE_MISS;
}

/* The read in flight of the granule looked up. */
static inline u32 first_read(PRIVATE const struct sm *sm, u32 cache, PRIVATE const struct cache_set *set, u32 way, u32 granule)
{
    u32 read = set->tags[way] >> 2;
    if (set_is_sectored(set))
        for (read = PLAN_OF(sm, l1_reads, cache); sm_reads(sm)[read].joined == 0 || sm_reads(sm)[read].line != granule;)
            ++read;
    return read;
}

/* Keeps a ticket behind the first one: in a request of a ring, whose last is named and links the first. */
static inline void l1_keep_ticket(PRIVATE const struct sm *sm, GLOBAL struct ws_read *read, u32 ticket)
{
    const u32 index = message_take(sm, 0, ticket);
    if (read->joined > 1)
        sm_request(sm, index)->bank_next = sm_request(sm, read->last)->bank_next;
    sm_request(sm, read->joined > 1 ? read->last : index)->bank_next = (u16)index;
    read->last = (u16)index;
    if (pool_crowded(sm)) /* the SM must see that */
        sm_levels(sm)->next = sm->now;
}

/* Joins the accesses that wait for a line. */
static inline u32 l1_join(PRIVATE const struct sm *sm, u32 cache, u32 read, u32 ticket, u32 dirty)
{
    GLOBAL struct ws_read *reads = sm_reads(sm) + read;
    if (reads->joined == l1_most_merges(sm, cache))
        return ACCESS_REFUSED;
    if (reads->joined == 0)
        reads->ticket = (u16)ticket;
    else
        l1_keep_ticket(sm, reads, ticket);
    reads->joined += 1;
    reads->dirty |= (u16)dirty;
    return ACCESS_WAITS;
}

/* Takes the first free MSHR, of which there is one. */
static inline u32 l1_take_read(PRIVATE const struct sm *sm, u32 cache)
{
    u32 read = PLAN_OF(sm, l1_reads, cache) + sm_levels(sm)->taken[cache];
    while (sm_reads(sm)[read].joined != 0)
        ++read;
    sm_levels(sm)->taken[cache] = read + 1 - PLAN_OF(sm, l1_reads, cache);
    return read;
}

/* A miss: reserves a way, that of its line if present, and sends a read, and a write of a dirty victim. */
static inline u32 l1_miss(PRIVATE struct sm *sm, u32 cache, PRIVATE const struct cache_set *set, u32 found, u32 granule, u32 ticket,
                          u32 dirty)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 way = found != CACHE_MISS ? found : cache_way(set);
    const u32 mshrs = PLAN_OF(sm, l1_reads, cache + 1) - PLAN_OF(sm, l1_reads, cache);
    if (levels->in_flight[cache] == mshrs || way == CACHE_MISS)
        return ACCESS_REFUSED;
    const u32 victim = set->tags[way], writes = (victim & TAG_STATE) == (WS_TAG_VALID | WS_TAG_DIRTY);
    if (!send_room(sm, 1 + writes))
        return ACCESS_REFUSED;
    const u32 read = l1_take_read(sm, cache);
    cache_reserve(set, way, read, found != CACHE_MISS);
    levels->in_flight[cache] += 1;
    sm_reads(sm)[read].line = granule;
    sm_reads(sm)[read].dirty = 0;
    l1_join(sm, cache, read, ticket, dirty);
    if (cache == WS_CACHE_DATA)
        count_most(sm, WS_COUNT_mshrs_most, levels->in_flight[cache]);
    send(sm, granule, request_info(cache, read, 0));
    if (writes) {
        count(sm, WS_COUNT_l1_writebacks, 1);
        send(sm, victim >> 2, request_info(REQUEST_WRITE, WS_NO_TICKET, l1_granules(sm, cache)));
    }
    return ACCESS_WAITS;
}

/* A read through a cache, or a write that allocates in it (dirty). */
static inline u32 l1_access(PRIVATE struct sm *sm, u32 cache, u32 line, u32 ticket, u32 dirty)
{
    const struct cache_set set = l1_set_of(sm, cache, line);
    const u32 way = l1_lookup(sm, cache, &set), counters = l1_counter(cache);
    if (cache_hits(&set, way)) {
        const u32 touched = cache_touch(&set, way);
        set.tags[touched] |= dirty ? WS_TAG_DIRTY : 0u;
        count(sm, dirty ? WS_COUNT_l1_store_hits : counters + COUNT_HITS, 1);
        return ACCESS_HIT;
    }
    const u32 joins = cache_in_flight(&set, way);
    const u32 outcome = joins ? l1_join(sm, cache, first_read(sm, cache, &set, way, line), ticket, dirty)
                              : l1_miss(sm, cache, &set, way, line, ticket, dirty);
    if (outcome == ACCESS_REFUSED)
        return outcome;
    count(sm, dirty ? WS_COUNT_l1_store_misses : counters + COUNT_MISSES, 1);
    count(sm, counters + COUNT_MERGES, joins);
    return outcome;
}

/* Whether a read is refused until a response arrives: all MSHRs are in use, and it neither hits nor joins a read with room. */
static inline u32 l1_is_full_for(PRIVATE const struct sm *sm, u32 cache, u32 line)
{
    const u32 mshrs = PLAN_OF(sm, l1_reads, cache + 1) - PLAN_OF(sm, l1_reads, cache);
    if (sm_levels(sm)->in_flight[cache] != mshrs)
        return 0;
    const struct cache_set set = l1_set_of(sm, cache, line);
    const u32 way = l1_lookup(sm, cache, &set);
    if (cache_in_flight(&set, way))
        return sm_reads(sm)[first_read(sm, cache, &set, way, line)].joined == l1_most_merges(sm, cache);
    return !cache_hits(&set, way);
}

/* A store of some granules that passes L1 without allocation; its response has a ticket. */
static inline u32 l1_store_line(PRIVATE struct sm *sm, u32 line, u32 ticket, u32 sectors)
{
    const struct cache_set set = l1_set_of(sm, WS_CACHE_DATA, line);
    const u32 way = l1_lookup(sm, WS_CACHE_DATA, &set), hit = cache_hits(&set, way);
    if (!send_room(sm, 1))
        return ACCESS_REFUSED;
    if (hit && MACHINE(sm, l1_store) == WS_store_evict)
        cache_drop(&set, way);
    else if (hit)
        cache_touch(&set, way);
    count(sm, hit ? WS_COUNT_l1_store_hits : WS_COUNT_l1_store_misses, 1);
    send(sm, line, request_info(REQUEST_WRITE, ticket, sectors));
    return ACCESS_SENT;
}

/* An access that bypasses L1: an atomic to some granules of a line, or a load. */
static inline u32 l1_pass(PRIVATE struct sm *sm, u32 kind, u32 line, u32 ticket, u32 sectors)
{
    if (!send_room(sm, 1))
        return ACCESS_REFUSED;
    count(sm, WS_COUNT_l1_misses, 1);
    send(sm, line, request_info(kind, ticket, sectors));
    return ACCESS_WAITS;
}

/* The line of a read in flight has arrived; returns the number of accesses that wait for it (l1_next_ticket). */
static inline u32 l1_fill(PRIVATE const struct sm *sm, u32 cache, u32 read)
{
    GLOBAL struct ws_read *reads = sm_reads(sm) + read;
    const u32 joined = reads->joined;
    const struct cache_set set = l1_set_of(sm, cache, reads->line);
    cache_comes(&set, read, reads->dirty);
    reads->joined = 0;
    sm_levels(sm)->in_flight[cache] -= 1;
    sm_levels(sm)->taken[cache] = ws_min(sm_levels(sm)->taken[cache], read - PLAN_OF(sm, l1_reads, cache));
    return joined;
}

/* Takes the ticket of the n-th access that waits for a line that has arrived, in turn; reads are numbered through all caches. */
static inline u32 l1_next_ticket(PRIVATE const struct sm *sm, u32 read, u32 n)
{
    GLOBAL const struct ws_read *const reads = sm_reads(sm) + read;
    if (n == 0)
        return reads->ticket;
    const u32 first = sm_request(sm, reads->last)->bank_next, ticket = sm_request(sm, first)->tickets[0];
    sm_request(sm, reads->last)->bank_next = sm_request(sm, first)->bank_next;
    message_free(sm, first);
    return ticket;
}

#endif
