/* The SM's share of the L2 cache (docs/model/memory.md). First lane only. */
#ifndef WS_MEMORY_LEVELS_L2_H
#define WS_MEMORY_LEVELS_L2_H

#include "memory/levels/answers.h"
#include "memory/levels/dram.h"

static inline struct cache_set l2_set(PRIVATE const struct sm *sm, u32 line)
{
    return cache_set_of(sm, sm_l2(sm), WS_CACHE_L2, line);
}

/* Way of the line, valid or being read, or CACHE_MISS. */
static inline u32 l2_find(PRIVATE const struct sm *sm, PRIVATE const struct cache_set *set)
{
    const u32 valid = cache_tag(set_line(set));
    for (u32 way = 0; way < set_ways(set); ++way) {
        const u32 tag = set->tags[way];
        if ((tag & ~(u32)WS_TAG_DIRTY) == valid || (tag_is_reserved(tag) && sm_request(sm, tag >> 2)->line == set_line(set)))
            return way;
    }
    return CACHE_MISS;
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

/* Reads the line into a way that the set gives; writes back a dirty victim. Returns the way's new position. */
static inline u32 l2_read(PRIVATE struct sm *sm, PRIVATE const struct cache_set *set, u32 way, u32 at)
{
    const u32 victim = set->tags[way], read = timed_send(sm, set_line(set), REQUEST_L2_READ, at);
    sm_levels(sm)->l2_reads += 1;
    way = cache_take(set, way, read << 2 | TAG_RESERVED, 0);
    if ((victim & TAG_STATE) == (WS_TAG_VALID | WS_TAG_DIRTY)) {
        count(sm, WS_COUNT_l2_writebacks, 1);
        timed_send(sm, victim >> 2, REQUEST_L2_WRITE, at);
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

/* Cycles of the data port for a write of some granules of a line. */
static inline u32 l2_write_cycles(PRIVATE const struct sm *sm, u32 written)
{
    return (MACHINE(sm, l2_data_port) * written + ws_bits_below(PLAN(sm, line_shift))) >> PLAN(sm, line_shift);
}

/* Looks up a request in its set; returns whether it was accepted. */
static inline u32 l2_look_up_in(PRIVATE struct sm *sm, u32 index, PRIVATE const struct cache_set *set, u32 at)
{
    const u32 info = sm_request(sm, index)->tickets[0], store = MACHINE(sm, l2_store);
    const u32 stores = info_kind(info) == REQUEST_WRITE, changes = stores || info_kind(info) == REQUEST_ATOMIC;
    u32 way = l2_find(sm, set);
    const u32 found = way != CACHE_MISS, hit = found && !tag_is_reserved(set->tags[way]);
    const u32 reads = !found && !(stores && store == WS_l2_store_through);
    const u32 writes = store == WS_l2_store_through ? changes : stores && !found && store == WS_l2_store_both;
    if (reads)
        way = cache_way(set);
    if ((reads && !l2_can_read(sm, way)) || (writes && !timed_room(sm)))
        return 0;
    if (writes)
        timed_send(sm, set_line(set), REQUEST_L2_WRITE, at);
    queue_pop(sm, &sm_levels(sm)->to_l2);
    if (reads)
        way = l2_read(sm, set, way, at);
    else if (found && (stores || hit))
        way = cache_touch(set, way);
    if (changes && (found || !stores || store == WS_l2_store_back))
        l2_dirty(sm, &set->tags[way]);
    if (!stores && !hit)
        l2_wait(sm, set->tags[way] >> 2, index);
    else
        answer(sm, index, l2_use_port(sm, at, stores ? l2_write_cycles(sm, info_sectors(info)) : MACHINE(sm, l2_data_port)));
    count(sm, (stores ? (u32)WS_COUNT_l2_store_hits : (u32)WS_COUNT_l2_hits) + !hit, 1);
    count(sm, WS_COUNT_l2_merges, found && !hit && !stores);
    return 1;
}

/* A request without an L2 cache; returns whether it was accepted. */
static inline u32 l2_pass(PRIVATE struct sm *sm, u32 index, u32 at)
{
    const u32 kind = info_kind(sm_request(sm, index)->tickets[0]), sectors = info_sectors(sm_request(sm, index)->tickets[0]);
    const u32 granules = 1u << PLAN(sm, line_shift), line = sm_request(sm, index)->line & ~(granules - 1);
    if (!timed_room(sm))
        return 0;
    queue_pop(sm, &sm_levels(sm)->to_l2);
    if (kind >= REQUEST_WRITE)
        timed_send(sm, line, REQUEST_L2_WRITE, at);
    if (kind == REQUEST_WRITE)
        answer(sm, index, l2_use_port(sm, at, l2_write_cycles(sm, sectors)));
    else
        l2_wait(sm, timed_send(sm, line, REQUEST_L2_READ, at), index);
    return 1;
}

/* Looks up the first request at a cycle; a refused one stays. */
static inline void l2_look_up(PRIVATE struct sm *sm, u32 at)
{
    GLOBAL struct ws_levels *levels = sm_levels(sm);
    const u32 index = levels->to_l2.first, line = sm_request(sm, index)->line;
    u32 went;
    if (PLAN_OF(sm, cache_sets, WS_CACHE_L2) == 0) {
        went = l2_pass(sm, index, at);
    } else {
        const struct cache_set set = l2_set(sm, line);
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
    const u32 ready = l2_use_port(sm, at, MACHINE(sm, l2_data_port));
    u32 index = sm_request(sm, read)->bucket_next;
    if (PLAN_OF(sm, cache_sets, WS_CACHE_L2) != 0) {
        const struct cache_set set = l2_set(sm, line);
        cache_comes(&set, read, sm_request(sm, read)->tickets[0] & REQUEST_DIRTY);
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
