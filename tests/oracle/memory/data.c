/* The data cache (memory.md). */
#include "oracle/memory/cache.h"

static void start(struct sm *sm, struct level *level)
{
    const struct ws_machine *m = sm->machine;
    cache_start(level, m->l1_size, m->l1_replacement,
                &(struct tags){.ways = m->l1_ways, .line_bytes = m->l1_line, .sectors = m->l1_sectors, .seed = m->memory_seed});
}

/* What a request for a line sends below: a read on a miss, a write for write-through. */
static void asks_for(const struct sm *sm, enum request_kind kind, bool *reads, bool *writes)
{
    const bool through = sm->machine->l1_store == WS_store_through;
    *reads = kind != STORE || !through;
    *writes = kind != LOAD && through;
}

/* Whether an earlier transaction of the same atomic access has the same line. */
static bool asked_before(const struct request *requests, u32 n)
{
    for (u32 earlier = 0; earlier < n; earlier++)
        if (requests[n].kind == ATOMIC && requests[earlier].kind == ATOMIC && requests[earlier].granule == requests[n].granule)
            return true;
    return false;
}

static bool fits(const struct sm *sm, const struct level *level, const struct request *requests, u32 requested)
{
    const struct cache *cache = level->own;
    struct request below[2 * WS_LANES];
    u32 reads_below = 0, asked_below = 0;
    if (sm->machine->memory_ideal == WS_toggle_on)
        return true;
    for (u32 i = 0; i < requested; i++) {
        bool reads, writes;
        asks_for(sm, requests[i].kind, &reads, &writes);
        if (reads && !asked_before(requests, i) && !cache_find(cache, requests[i].granule) &&
            !cache_miss(cache, requests[i].granule)) {
            below[asked_below++] = requests[i];
            reads_below++;
        }
        if (writes)
            below[asked_below++] = requests[i];
    }
    const u32 mshrs = sm->machine->l1_mshrs;
    return level->below->rules->fits(sm, level->below, below, asked_below) &&
           (mshrs == 0 || cache_misses(cache) + reads_below <= mshrs);
}

static u32 ask(struct sm *sm, struct level *level, const struct request *request)
{
    struct cache *cache = level->own;
    const bool ideal = sm->machine->memory_ideal == WS_toggle_on, store = request->kind == STORE;
    const bool dirties = request->kind != LOAD && sm->machine->l1_store == WS_store_back;
    struct line *line = ideal ? NULL : cache_find(cache, request->granule);
    const bool hit = ideal || line;
    bool reads, writes;
    u32 ticket = NO_TICKET;
    count(sm, hit ? (store ? WS_COUNT_l1_store_hits : WS_COUNT_l1_hits) : (store ? WS_COUNT_l1_store_misses : WS_COUNT_l1_misses),
          1);
    if (ideal)
        return NO_TICKET;
    asks_for(sm, request->kind, &reads, &writes);
    if (line) {
        tags_touch(&cache->tags, line);
        line->dirty |= dirties;
    } else if (reads) {
        struct miss *miss = cache_miss(cache, request->granule);
        if (miss)
            count(sm, WS_COUNT_l1_merges, 1);
        else
            miss = cache_read(sm, level, request->granule);
        miss->dirty |= dirties;
        ticket = miss->ticket;
    }
    if (writes)
        cache_ask(sm, level, STORE, request->granule);
    count_most(sm, WS_COUNT_mshrs_most, cache_misses(cache));
    return ticket;
}

static void arrives(struct sm *sm, struct level *level, u32 ticket)
{
    u32 victim;
    if (sm->machine->l1_bypass == WS_toggle_on)
        cache_forget(level->own, ticket);
    else if (cache_fill(level->own, ticket, &victim)) {
        count(sm, WS_COUNT_l1_writebacks, 1);
        cache_ask(sm, level, STORE, victim);
    }
    sm->rules.pipeline->data_arrives(sm, ticket);
}

static u32 reads(const struct level *level)
{
    return cache_misses(level->own);
}

const struct oracle_level oracle_level_data = {
    .start = start, .finish = cache_free, .fits = fits, .ask = ask, .reads = reads, .arrives = arrives};
