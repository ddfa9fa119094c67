/* Caches of the SM: data, instructions, constants, textures. */
#include "oracle/memory/l1.h"

#include <stdlib.h>

#include "oracle/invariants.h"

enum { MOST_MSHRS = 1024 };

static struct l1 *l1_of(const struct sm *sm, enum l1_cache cache)
{
    return sm->levels->l1[cache];
}

static void start_one(struct sm *sm, enum l1_cache cache, u32 size, const struct l1 *rest)
{
    struct l1 *const l1 = oracle_allocate(1, sizeof *l1);
    *l1 = *rest;
    l1->always_hits = size == 0;
    tags_start(&l1->tags, size, cache == L1_DATA ? sm->machine->l1_replacement : (u32)WS_replacement_lru, &rest->tags);
    sm->levels->l1[cache] = l1;
}

static u32 data_mshrs(const struct ws_machine *m)
{
    const u32 lines = m->l1_size / m->l1_line, most = lines < MOST_MSHRS ? lines : MOST_MSHRS;
    return m->l1_mshrs == 0 || m->l1_mshrs > most ? most : m->l1_mshrs;
}

#define TAGS(name, parts)                                                                                                          \
    .tags = {.ways = m->name##_ways, .line_bytes = m->name##_line, .sectors = parts, .seed = m->memory_seed},                      \
    .hits = WS_COUNT_##name##_hits, .misses = WS_COUNT_##name##_misses, .merged = WS_COUNT_##name##_merges

void l1_start(struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    start_one(sm, L1_DATA, m->l1_size, &(struct l1){.mshrs = data_mshrs(m), .merges = m->l1_targets, TAGS(l1, m->l1_sectors)});
    start_one(sm, L1_CODE, m->icache_size, &(struct l1){.mshrs = m->icache_mshrs, .merges = MOST_MERGES, TAGS(icache, 1)});
    start_one(sm, L1_CONSTANT, m->constant_size,
              &(struct l1){.mshrs = m->constant_mshrs, .merges = MOST_MERGES, TAGS(constant, 1)});
    start_one(sm, L1_TEXTURE, m->texture_size, &(struct l1){.mshrs = m->texture_mshrs, .merges = m->l1_targets, TAGS(texture, 1)});
}

static struct waits **waits_for(struct l1 *l1, u32 granule)
{
    struct waits **place = &l1->waits;
    while (*place && (*place)->granule != granule)
        place = &(*place)->next;
    return place;
}

static void forget(struct waits **place)
{
    struct waits *const waits = *place;
    *place = waits->next;
    free(waits);
}

void l1_finish(struct sm *sm)
{
    for (enum l1_cache cache = 0; cache < L1_CACHES; cache++) {
        while (l1_of(sm, cache)->waits)
            forget(&l1_of(sm, cache)->waits);
        tags_finish(&l1_of(sm, cache)->tags);
        free(l1_of(sm, cache));
    }
}

/* Size of a read for a granule. */
static struct request request_of(const struct l1 *l1, enum request_kind kind, u32 granule)
{
    const u32 bytes = l1->tags.line_bytes / l1->tags.sectors;
    return (struct request){.kind = kind, .granule = granule, .bytes = bytes, .sectors = bytes / WS_GRANULE_BYTES};
}

static enum outcome join(struct sm *sm, struct l1 *l1, u32 granule, u32 misses, u32 ticket)
{
    struct waits *const waits = *waits_for(l1, granule);
    if (waits->joined == l1->merges)
        return REFUSED;
    waits->tickets[waits->joined++] = ticket;
    count(sm, misses, 1);
    count(sm, l1->merged, 1);
    return WAITS;
}

static void open_mshr(struct l1 *l1, u32 granule, u32 ticket)
{
    struct waits *const waits = *waits_for(l1, granule) = oracle_allocate(1, sizeof *waits);
    *waits = (struct waits){.granule = granule, .tickets = {ticket}, .joined = 1};
    l1->in_flight++;
}

/* line: that of the granule with its sector missing, or NULL. */
static enum outcome miss(struct sm *sm, enum l1_cache cache, struct line *line, u32 granule, u32 misses, u32 ticket)
{
    struct l1 *const l1 = l1_of(sm, cache);
    struct line *const way = line ? line : tags_way(&l1->tags, granule);
    if (l1->in_flight == l1->mshrs || !way)
        return REFUSED;
    const bool writes_back = !line && way->dirty && line_has(way, LINE_VALID);
    const struct request read = request_of(l1, LOAD, granule), victim = request_of(l1, STORE, tags_granule(&l1->tags, way));
    if (!send_fits(sm, writes_back ? 2 : 1))
        return REFUSED;
    count(sm, misses, 1);
    open_mshr(l1, granule, ticket);
    if (line) {
        tags_become(&l1->tags, line, granule, LINE_RESERVED);
        tags_touch(&l1->tags, line);
    } else {
        tags_fill(&l1->tags, way, granule, LINE_RESERVED);
    }
    send_request(sm, cache, &read, NO_TICKET);
    if (writes_back) {
        send_request(sm, cache, &victim, NO_TICKET);
        count(sm, WS_COUNT_l1_writebacks, 1);
    }
    if (cache == L1_DATA)
        count_most(sm, WS_COUNT_mshrs_most, l1->in_flight);
    return WAITS;
}

/* A load, or a store handled like one. */
static enum outcome look_up(struct sm *sm, enum l1_cache cache, const struct request *request, u32 ticket)
{
    struct l1 *const l1 = l1_of(sm, cache);
    const bool store = request->kind == STORE;
    const u32 granule = request->granule, misses = store ? (u32)WS_COUNT_l1_store_misses : l1->misses;
    struct line *line = tags_find(&l1->tags, granule);
    enum outcome outcome = FOUND;
    if (tags_state(&l1->tags, line, granule) == LINE_VALID) {
        count(sm, store ? (u32)WS_COUNT_l1_store_hits : l1->hits, 1);
        tags_touch(&l1->tags, line);
    } else if (tags_state(&l1->tags, line, granule) == LINE_RESERVED) {
        outcome = join(sm, l1, granule, misses, ticket);
    } else {
        outcome = miss(sm, cache, line, granule, misses, ticket);
    }
    if (store && outcome != REFUSED)
        tags_find(&l1->tags, granule)->dirty = true;
    return outcome;
}

static enum outcome write_through(struct sm *sm, const struct request *request, u32 ticket)
{
    struct l1 *const l1 = l1_of(sm, L1_DATA);
    struct line *const line = tags_find(&l1->tags, request->granule);
    const bool hit = tags_state(&l1->tags, line, request->granule) == LINE_VALID;
    if (!send_fits(sm, 1))
        return REFUSED;
    count(sm, hit ? WS_COUNT_l1_store_hits : WS_COUNT_l1_store_misses, 1);
    if (hit && sm->machine->l1_store == WS_store_evict)
        tags_become(&l1->tags, line, request->granule, LINE_INVALID);
    else if (hit)
        tags_touch(&l1->tags, line);
    send_request(sm, L1_DATA, request, ticket);
    return WAITS;
}

static enum outcome pass_by(struct sm *sm, const struct request *request, u32 ticket)
{
    if (!send_fits(sm, 1))
        return REFUSED;
    count(sm, WS_COUNT_l1_misses, 1);
    send_request(sm, L1_DATA, request, ticket);
    return WAITS;
}

enum outcome l1_access(struct sm *sm, enum l1_cache cache, const struct request *request, u32 ticket)
{
    const struct l1 *const l1 = l1_of(sm, cache);
    if (l1->always_hits || (cache == L1_DATA && sm->machine->memory_ideal == WS_toggle_on)) {
        count(sm, request->kind == STORE ? (u32)WS_COUNT_l1_store_hits : l1->hits, 1);
        return FOUND;
    }
    const bool bypasses = request->bypasses || sm->machine->l1_bypass == WS_toggle_on;
    if (request->kind == ATOMIC || (request->kind == LOAD && cache == L1_DATA && bypasses))
        return pass_by(sm, request, ticket);
    if (request->kind == STORE && sm->machine->l1_store != WS_store_back)
        return write_through(sm, request, ticket);
    return look_up(sm, cache, request, ticket);
}

void l1_fill(struct sm *sm, enum l1_cache cache, u32 granule)
{
    struct l1 *const l1 = l1_of(sm, cache);
    const struct waits *const waits = *waits_for(l1, granule);
    tags_become(&l1->tags, tags_find(&l1->tags, granule), granule, LINE_VALID);
    l1->in_flight--;
    for (u32 i = 0; i < waits->joined; i++)
        if (cache == L1_CODE)
            sm->rules.pipeline->code_arrives(sm, waits->tickets[i]);
        else
            sm->rules.pipeline->data_arrives(sm, waits->tickets[i]);
    forget(waits_for(l1, granule));
}

u32 l1_reads(const struct sm *sm, enum l1_cache cache)
{
    return l1_of(sm, cache)->in_flight;
}

static void check_one(const struct sm *sm, const struct l1 *l1)
{
    const struct tags *const tags = &l1->tags;
    u32 reserved = 0;
    for (u32 i = 0; i < tags->sets * tags->ways * tags->sectors; i++)
        reserved += tags->lines[i / tags->sectors].sectors[i % tags->sectors] == LINE_RESERVED;
    for (const struct waits *waits = l1->waits; waits; waits = waits->next)
        if (waits->joined == 0 || waits->joined > l1->merges)
            invariants_violation(sm, NULL, "%u accesses wait for a line", waits->joined);
    if (reserved != l1->in_flight || reserved > l1->mshrs)
        invariants_violation(sm, NULL, "%u of %u MSHRs are in use, and %u sectors reserved", l1->in_flight, l1->mshrs, reserved);
}

void l1_check(const struct sm *sm)
{
    for (enum l1_cache cache = 0; cache < L1_CACHES; cache++)
        check_one(sm, l1_of(sm, cache));
}
