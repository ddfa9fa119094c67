/* Accesses of an issue slot to global and shared memory, and the data port (docs/model.md 5). */
#ifndef WS_MEMORY_ACCESS_H
#define WS_MEMORY_ACCESS_H

#include "core/streams.h"
#include "memory/dram.h"

/* An access on its way through the port. */
struct access {
    u32 lines;  /* distinct lines; of shared memory: words */
    u32 passes; /* cycles for which it holds the port; 0: none */
    u32 misses; /* lines that the unit has to wait for */
};

/* Gathers the distinct keys of the lanes in mask into local memory, lowest lane first, with the
 * lane that brought each, and returns how many there are. */
static inline u32 distinct_keys(PRIVATE struct sm *sm, PRIVATE const u32 *key, u32 mask)
{
    const u32 leaders = lanes_leaders(&sm->lanes, key, mask);
    FOR_TURNS (lane, rank, leaders, 0) {
        sm->scratch->lines[rank] = key[OF(lane)];
        sm->scratch->leads[rank] = lane;
    }
    lanes_fence(&sm->lanes);
    return ws_popcount(leaders);
}

/* Whether an instruction needs a line in the cache before it is done, and whether it sends a write of every line. */
static inline u32 access_reads(PRIVATE const struct sm *sm, u32 class_)
{
    return class_ != WS_CLASS_store || sm->machine->l1_store == WS_store_back;
}

static inline u32 access_writes(PRIVATE const struct sm *sm, u32 class_)
{
    return class_ != WS_CLASS_load && sm->machine->l1_store == WS_store_through;
}

/* Room in the memory queue for which all that the lines of an access would send waits: 0 when there is enough, WS_NEVER when MSHRs
 * lack. In the first lane. */
static inline u32 access_wants(PRIVATE const struct sm *sm, u32 lines, u32 class_)
{
    const u32 room = sm->machine->dram_queue - sm_memory(sm)->held;
    const u32 mshrs = sm->machine->l1_mshrs ? sm->machine->l1_mshrs - sm_memory(sm)->mshrs : 0xFFFFFFFFu;
    const u32 writes = access_writes(sm, class_) ? lines : 0;
    u32 reads = access_reads(sm, class_) ? lines : 0;
    if (reads + writes <= room && reads <= mshrs)
        return 0;
    for (u32 n = 0; n < lines && access_reads(sm, class_); ++n) {
        const u32 line = sm->scratch->lines[n];
        if (cache_find(l1_set(sm, line), sm->machine->l1_ways, line) != CACHE_MISS || request_find(sm, line) != 0)
            --reads;
    }
    return reads > mshrs ? WS_NEVER : reads + writes > room ? reads + writes : 0;
}

/* A line found in the data cache. */
static inline void line_hits(PRIVATE struct sm *sm, GLOBAL u32 *set, u32 way, u32 class_)
{
    cache_touch(set, way);
    if (class_ != WS_CLASS_load && sm->machine->l1_store == WS_store_back)
        set[0] |= WS_TAG_DIRTY;
    count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, 1);
}

/* Looks a line up, sends what has to be sent, and returns the request that the unit waits for, or 0. In the first lane. */
static inline u32 line_access(PRIVATE struct sm *sm, u32 line, u32 class_)
{
    GLOBAL u32 *set = l1_set(sm, line);
    const u32 dirty = class_ != WS_CLASS_load && sm->machine->l1_store == WS_store_back ? WS_REQUEST_DIRTY : 0;
    u32 way = sm->machine->memory_ideal ? 0 : cache_find(set, sm->machine->l1_ways, line);
    u32 request = 0;
    if (sm->machine->memory_ideal) {
        count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits, 1);
        return 0;
    }
    if (way != CACHE_MISS) {
        line_hits(sm, set, way, class_);
    } else {
        count(sm, class_ == WS_CLASS_store ? WS_COUNT_l1_store_misses : WS_COUNT_l1_misses, 1);
        if (access_reads(sm, class_)) {
            request = request_find(sm, line);
            if (request != 0) {
                count(sm, WS_COUNT_l1_merges, 1);
                sm_request(sm, request)->bank_next |= (u16)dirty;
            } else {
                request = dram_read(sm, line, dirty);
            }
        }
    }
    if (access_writes(sm, class_))
        dram_request(sm, line, WS_REQUEST_WRITE);
    return request;
}

/* Makes a unit (pdom: warp slot, lwm: index in the pipeline) wait for the n-th line of its access; defined by the divergence unit.
 * In the first lane. */
static inline void unit_waits(PRIVATE struct sm *sm, u32 request, u32 unit, u32 n);

/* Prepares an access to global memory by the lanes in mask: gathers its lines; returns the room that it waits for, 0 for none. */
static inline u32 access_global(PRIVATE struct sm *sm, PRIVATE const u32 *granule, u32 mask, u32 class_,
                                PRIVATE struct access *access)
{
    PER_LANE(u32, line);
    const u32 offset = ws_bits_below(sm->plan->line_shift);
    FOR_LANES (lane)
        line[OF(lane)] = granule[OF(lane)] & ~offset;
    access->lines = distinct_keys(sm, line, mask);
    access->passes = access->lines;
    access->misses = 0;
    if (sm->machine->memory_ideal)
        return 0;
    const u32 wanted = lane_first() ? access_wants(sm, access->lines, class_) : 0;
    return lanes_from_first(&sm->lanes, wanted);
}

/* Sends the prepared access: every line is looked up now. */
static inline void access_send(PRIVATE struct sm *sm, u32 class_, u32 unit, PRIVATE struct access *access)
{
    u32 misses = 0, fill_at = sm->fill_at;
    readmit(sm);
    if (lane_first()) {
        for (u32 n = 0; n < access->lines; ++n) {
            const u32 request = line_access(sm, sm->scratch->lines[n], class_);
            if (request != 0) {
                unit_waits(sm, request, unit, n);
                ++misses;
            }
        }
        fill_at = bus_next(sm);
    }
    access->misses = lanes_from_first(&sm->lanes, misses);
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
    count(sm, WS_COUNT_global_accesses, 1);
    count(sm, WS_COUNT_global_lines, access->lines);
}

/* An access to shared memory by the lanes in mask: passes by bank conflicts. */
static inline void access_shared(PRIVATE struct sm *sm, PRIVATE const u32 *word, u32 mask, PRIVATE struct access *access)
{
    u32 most = 0;
    access->lines = distinct_keys(sm, word, mask);
    access->misses = 0;
    if (lane_first()) {
        for (u32 bank = 0; bank < sm->machine->memory_shared_banks; ++bank)
            sm->scratch->bank_words[bank] = 0;
        for (u32 n = 0; n < access->lines; ++n) {
            const u32 bank = sm->scratch->lines[n] & (sm->machine->memory_shared_banks - 1);
            most = ws_max(most, ++sm->scratch->bank_words[bank]);
        }
    }
    access->passes = lanes_from_first(&sm->lanes, most);
}

/* Enters the SIMD lanes and passes through the port from now on; returns the cycle in which the unit leaves the pipeline. */
static inline u32 port_pass(PRIVATE struct sm *sm, u32 passes)
{
    const u32 entered = sm->now + sm->plan->entry;
    u32 passed = entered;
    if (passes != 0) {
        const u32 start = ws_max(sm->now, sm->port_at);
        count(sm, WS_COUNT_port_busy, passes);
        sm->port_at = start + passes;
        passed = ws_max(passed, sm->port_at);
    }
    sm->select_at = sm->machine->memory_port == WS_port_select ? passed : entered;
    return passed - 1 + sm->machine->core_depth;
}

#endif
