/* The data cache and the accesses that bypass it (docs/model/memory.md). */
#ifndef WS_MEMORY_L1_H
#define WS_MEMORY_L1_H

#include "memory/cache/replacement.h"
#include "memory/coalesce.h"
#include "memory/dram/dram.h"

static inline struct cache_set l1_set(PRIVATE const struct sm *sm, u32 line)
{
    return cache_set_of(sm, sm_l1(sm), WS_CACHE_DATA, line);
}

/* Whether an instruction needs a line in the cache to complete, and whether it writes each line to memory. */
static inline u32 access_reads(PRIVATE const struct sm *sm, u32 class_)
{
    return class_ != WS_CLASS_store || MACHINE(sm, l1_store) == WS_store_back;
}

static inline u32 access_writes(PRIVATE const struct sm *sm, u32 class_)
{
    return class_ != WS_CLASS_load && MACHINE(sm, l1_store) == WS_store_through;
}

static inline u32 l1_find(PRIVATE const struct sm *sm, PRIVATE const struct cache_set *set)
{
    return cache_find(set, MACHINE(sm, l1_store) == WS_store_back);
}

/* Whether the n-th line of an access repeats an earlier one. First lane only. */
static inline u32 line_repeats(PRIVATE const struct sm *sm, u32 n, u32 class_)
{
    u32 repeats = 0;
    for (u32 before = 0; before < n && takes_turns(sm, class_); ++before)
        repeats |= sm->scratch->lines[before] == sm->scratch->lines[n];
    return repeats;
}

/* Number of reads that the lines of an access would send. First lane only. */
static inline u32 access_new_reads(PRIVATE const struct sm *sm, u32 lines, u32 class_)
{
    u32 reads = 0;
    for (u32 n = 0; n < lines && access_reads(sm, class_); ++n) {
        const u32 line = sm->scratch->lines[n];
        const struct cache_set set = l1_set(sm, line);
        reads += l1_find(sm, &set) == CACHE_MISS && request_find(sm, line) == 0 && !line_repeats(sm, n, class_);
    }
    return reads;
}

/* Room in the memory queue that reads and writes wait for: 0 if there is enough, WS_NEVER if MSHRs are lacking. First lane only. */
static inline u32 queue_wants(PRIVATE const struct sm *sm, u32 reads, u32 writes)
{
    const u32 room = MACHINE(sm, dram_queue) - sm_memory(sm)->held;
    const u32 mshrs = MACHINE(sm, l1_mshrs) ? MACHINE(sm, l1_mshrs) - sm_memory(sm)->mshrs : 0xFFFFFFFFu;
    return reads > mshrs ? WS_NEVER : reads + writes > room ? reads + writes : 0;
}

/* The same for all requests of the lines of an access. First lane only. */
static inline u32 access_wants(PRIVATE const struct sm *sm, u32 lines, u32 class_)
{
    const u32 writes = access_writes(sm, class_) ? lines : 0;
    if (queue_wants(sm, access_reads(sm, class_) ? lines : 0, writes) == 0)
        return 0;
    return queue_wants(sm, access_new_reads(sm, lines, class_), writes);
}

/* A line found in the data cache. */
static inline void line_hits(PRIVATE struct sm *sm, PRIVATE const struct cache_set *set, u32 way, u32 class_)
{
    way = cache_touch(set, way);
    if (class_ != WS_CLASS_load && MACHINE(sm, l1_store) == WS_store_back)
        set->tags[way] |= WS_TAG_DIRTY;
    count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, 1);
}

/* Looks up a line, sends requests, and returns the request that the packet waits for, or 0. First lane only. */
static inline u32 line_access(PRIVATE struct sm *sm, u32 line, u32 class_)
{
    const struct cache_set set = l1_set(sm, line);
    const u32 dirty = class_ != WS_CLASS_load && MACHINE(sm, l1_store) == WS_store_back ? WS_REQUEST_DIRTY : 0;
    u32 way = MACHINE(sm, memory_ideal) ? 0 : l1_find(sm, &set);
    u32 request = 0;
    if (MACHINE(sm, memory_ideal)) {
        count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, 1);
        return 0;
    }
    if (way != CACHE_MISS) {
        line_hits(sm, &set, way, class_);
    } else {
        count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_misses : WS_COUNT_l1_misses, 1);
        if (access_reads(sm, class_)) {
            request = request_find(sm, line);
            if (request != 0) {
                count(sm, WS_COUNT_l1_merges, 1);
                sm_request(sm, request)->bucket_next |= (u16)dirty;
            } else {
                request = dram_read(sm, line, dirty);
            }
        }
    }
    if (access_writes(sm, class_))
        dram_request(sm, line, WS_REQUEST_WRITE);
    return request;
}

/* Prepares an access to global memory by the lanes in mask, with addresses as in the image: gathers its lines. */
static inline void access_lines(PRIVATE struct sm *sm, u32 class_, PRIVATE const u32 *address, u32 mask,
                                PRIVATE struct access *access)
{
    PER_LANE(u32, line);
    const u32 offset = ws_bits_below(PLAN_OF(sm, sector_shift, WS_CACHE_DATA)), kept = ws_global_granule(class_, ~offset);
    FOR_LANES (lane)
        line[OF(lane)] = address[OF(lane)] & kept;
    access->lines = takes_turns(sm, class_) ? gather_turns(sm, address, mask, offset)
                                            : gather_keys(sm, line, lanes_leaders(&sm->lanes, line, mask));
    access->passes = access->lines;
    access->misses = 0;
}

/* Room that the prepared access waits for, 0 for none. */
static inline u32 access_room(PRIVATE struct sm *sm, u32 class_, PRIVATE const struct access *access)
{
    if (MACHINE(sm, memory_ideal))
        return 0;
    const u32 wanted = lane_first() ? access_wants(sm, access->lines, class_) : 0;
    return lanes_from_first(&sm->lanes, wanted);
}

#define MISSED_AGAIN 64u /* in one word with the number of lines that the packet waits for */

/* Sends the prepared access: looks up every line now. A missing line takes the ticket (memory/tickets.h), once. */
static inline void access_send(PRIVATE struct sm *sm, u32 class_, u32 ticket, PRIVATE struct access *access)
{
    u32 misses = 0, fill_at = sm->fill_at;
    if (lane_first()) {
        dram_is_sent(sm);
        for (u32 n = 0; n < access->lines; ++n) {
            const u32 request = line_access(sm, sm->scratch->lines[n], class_);
            if (request != 0 && line_repeats(sm, n, class_)) {
                misses += MISSED_AGAIN;
            } else if (request != 0) {
                ticket_of_line(sm, request, ticket, n);
                ++misses;
            }
        }
        fill_at = dram_next(sm);
        misses |= queue_crowded(sm);
    }
    misses = lanes_from_first(&sm->lanes, misses);
    access->misses = misses % MISSED_AGAIN;
    access->again = (misses & ~QUEUE_CROWDED) / MISSED_AGAIN;
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
    queue_sent(sm, misses);
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, access->lines);
}

#endif
