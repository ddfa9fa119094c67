/* The SM's share of the L2 cache (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_L2_H
#define WS_MEMORY_LEVELS_L2_H

#include "memory/levels/answers.h"
#include "memory/levels/dram.h"

/* The granule with which the line or sector of a granule begins. */
static inline u32 l2_granule(PRIVATE const struct sm *sm, u32 granule)
{
    return granule & ~ws_bits_below(PLAN_OF(sm, sector_shift, WS_CACHE_L2));
}

static inline struct cache_set l2_set(PRIVATE const struct sm *sm, u32 granule)
{
    return cache_set_of(sm, sm_l2(sm), WS_CACHE_L2, granule);
}

/* Way of the line, valid or being read, or CACHE_MISS. */
static inline u32 l2_find(PRIVATE const struct sm *sm, PRIVATE const struct cache_set *set)
{
    const u32 valid = cache_find_line(set, 1);
    if (valid != CACHE_MISS || sm_levels(sm)->l2_reads == 0)
        return valid;
    for (u32 way = 0; way < set_ways(set); ++way)
        if (tag_is_reserved(set->tags[way]) && sm_request(sm, set->tags[way] >> 2)->line == set->granule)
            return way;
    return CACHE_MISS;
}

/* The read of the granule looked up, which is in flight to a way. */
static inline u32 l2_read_of(PRIVATE const struct cache_set *set, u32 way)
{
    u32 read = set->tags[way] >> 2;
    if (set_is_sectored(set))
        for (read = 1; info_kind(sm_request(set->sm, read)->tickets[0]) != REQUEST_L2_READ ||
                       sm_request(set->sm, read)->line != set->granule;)
            ++read;
    return read;
}

/* A request waits for a line that is being read. */
static inline void l2_wait(PRIVATE const struct sm *sm, u32 read, u32 index)
{
    GLOBAL u16 *link = &sm_request(sm, read)->bucket_next;
    while (*link != 0)
        link = &sm_request(sm, *link)->bank_next;
    *link = (u16)index;
    sm_request(sm, index)->bank_next = 0;
}

/* Reads the granule looked up into a way, which may have its line; writes the valid sectors of a dirty victim back. Returns the
 * way's new position. */
static inline u32 l2_read(PRIVATE struct sm *sm, PRIVATE const struct cache_set *set, u32 way, u32 has_line, u32 at)
{
    const u32 victim = has_line ? 0 : set->tags[way], sectors = set_is_sectored(set) ? ws_popcount(*set_sectors(set, way)) : 1;
    way = cache_reserve(set, way, timed_send(sm, set->granule, REQUEST_L2_READ, 1, at), has_line);
    sm_levels(sm)->l2_reads += 1;
    if ((victim & TAG_STATE) == (WS_TAG_VALID | WS_TAG_DIRTY)) {
        count(sm, WS_COUNT_l2_writebacks, 1);
        timed_send(sm, victim >> 2, REQUEST_L2_WRITE, sectors, at);
    }
    return way;
}

/* Whether a line can be read into a way. */
static inline u32 l2_can_read(PRIVATE const struct sm *sm, u32 way)
{
    const u32 most = MACHINE(sm, l2_mshrs);
    return (most == 0 || sm_levels(sm)->l2_reads < most) && way != CACHE_MISS && timed_room(sm);
}

/* Marks a line of L2 dirty, now or on arrival. */
static inline void l2_dirty(PRIVATE const struct sm *sm, GLOBAL u32 *tag)
{
    if (MACHINE(sm, l2_store) == WS_l2_store_through)
        return;
    if (tag_is_reserved(*tag))
        sm_request(sm, *tag >> 2)->tickets[0] |= REQUEST_DIRTY;
    else
        *tag |= WS_TAG_DIRTY;
}

/* Cycles for which some granules of a line hold the data port. */
static inline u32 l2_port_cycles(PRIVATE const struct sm *sm, u32 granules)
{
    return (MACHINE(sm, l2_data_port) * granules + ws_bits_below(PLAN(sm, line_shift))) >> PLAN(sm, line_shift);
}

/* The same of a line or sector. */
static inline u32 l2_read_cycles(PRIVATE const struct sm *sm)
{
    return l2_port_cycles(sm, 1u << PLAN_OF(sm, sector_shift, WS_CACHE_L2));
}

/* Looks up a request in its set; returns whether it was accepted. */
static inline u32 l2_look_up_in(PRIVATE struct sm *sm, u32 index, PRIVATE const struct cache_set *set, u32 at)
{
    const u32 info = sm_request(sm, index)->tickets[0], store = MACHINE(sm, l2_store);
    const u32 stores = info_kind(info) == REQUEST_WRITE, changes = stores || info_kind(info) == REQUEST_ATOMIC;
    const u32 line = l2_find(sm, set), hit = cache_hits(set, line), found = hit || cache_in_flight(set, line);
    const u32 reads = !found && !(stores && store == WS_l2_store_through);
    const u32 writes = store == WS_l2_store_through ? changes : stores && !found && store == WS_l2_store_both;
    u32 way = reads && line == CACHE_MISS ? cache_way(set) : line;
    if ((reads && !l2_can_read(sm, way)) || (writes && !timed_room(sm)))
        return 0;
    if (writes)
        timed_send(sm, set->granule, REQUEST_L2_WRITE, 1, at);
    queue_pop(sm, &sm_levels(sm)->to_l2);
    if (reads)
        way = l2_read(sm, set, way, line != CACHE_MISS, at);
    else if (found && (stores || hit))
        way = cache_touch(set, way);
    if (changes && (found || !stores || store == WS_l2_store_back))
        l2_dirty(sm, &set->tags[way]);
    if (!stores && !hit)
        l2_wait(sm, l2_read_of(set, way), index);
    else
        answer(sm, index, l2_use_port(sm, at, stores ? l2_port_cycles(sm, info_sectors(info)) : l2_read_cycles(sm)));
    count(sm, (stores ? (u32)WS_COUNT_l2_store_hits : (u32)WS_COUNT_l2_hits) + !hit, 1);
    count(sm, WS_COUNT_l2_merges, found && !hit && !stores);
    return 1;
}

/* A request without an L2 cache; returns whether it was accepted. */
static inline u32 l2_pass(PRIVATE struct sm *sm, u32 index, u32 at)
{
    const u32 kind = info_kind(sm_request(sm, index)->tickets[0]), sectors = info_sectors(sm_request(sm, index)->tickets[0]);
    const u32 line = l2_granule(sm, sm_request(sm, index)->line);
    if (!timed_room(sm))
        return 0;
    queue_pop(sm, &sm_levels(sm)->to_l2);
    if (kind >= REQUEST_WRITE)
        timed_send(sm, line, REQUEST_L2_WRITE, 1, at);
    if (kind == REQUEST_WRITE)
        answer(sm, index, l2_use_port(sm, at, l2_port_cycles(sm, sectors)));
    else
        l2_wait(sm, timed_send(sm, line, REQUEST_L2_READ, 1, at), index);
    return 1;
}

/* Looks up the first request at a cycle; a refused one stays. */
static inline void l2_look_up(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 index = levels->to_l2.first;
    u32 went;
    if (PLAN_OF(sm, cache_sets, WS_CACHE_L2) == 0) {
        went = l2_pass(sm, index, at);
    } else {
        const struct cache_set set = l2_set(sm, l2_granule(sm, sm_request(sm, index)->line));
        went = l2_look_up_in(sm, index, &set, at);
    }
    levels->refused = !went;
    levels->lookup_at = at + 1;
}

/* A line arrives from DRAM: answers the requests that wait for it. */
static inline void l2_fill(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 read = queue_pop(sm, &sm_timed(sm)->back), line = sm_request(sm, read)->line;
    const u32 ready = l2_use_port(sm, at, l2_read_cycles(sm));
    u32 index = sm_request(sm, read)->bucket_next;
    if (PLAN_OF(sm, cache_sets, WS_CACHE_L2) != 0) {
        const struct cache_set set = l2_set(sm, line);
        cache_comes(&set, read, sm_request(sm, read)->tickets[0] & REQUEST_DIRTY);
        sm_request(sm, read)->tickets[0] = 0; /* l2_read_of finds it no more */
        levels->l2_reads -= 1;
    }
    while (index != 0) {
        const u32 next = sm_request(sm, index)->bank_next;
        answer(sm, index, ready);
        index = next;
    }
    timed_served(sm, read);
}

#endif
