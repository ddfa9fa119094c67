/* Caches of the SM: data, instructions, constants, textures. */
#include "oracle/memory/first.h"

#include <stdlib.h>

#include "oracle/invariants.h"

enum { MOST_MSHRS = 1024 };

static struct first *first_of(const struct sm *sm, enum first_cache cache)
{
    return sm->levels->first[cache];
}

static void start_one(struct sm *sm, enum first_cache cache, u32 size, const struct first *rest)
{
    struct first *const first = oracle_allocate(1, sizeof *first);
    *first = *rest;
    first->always_hits = size == 0;
    tags_start(&first->tags, size, cache == FIRST_DATA ? sm->machine->l1_replacement : (u32)WS_replacement_lru, &rest->tags);
    sm->levels->first[cache] = first;
}

static u32 data_mshrs(const struct ws_machine *m)
{
    const u32 lines = m->l1_size / m->l1_line, most = lines < MOST_MSHRS ? lines : MOST_MSHRS;
    return m->l1_mshrs == 0 || m->l1_mshrs > most ? most : m->l1_mshrs;
}

#define TAGS(name, parts)                                                                                                          \
    .tags = {.ways = m->name##_ways, .line_bytes = m->name##_line, .sectors = parts, .seed = m->memory_seed},                      \
    .hits = WS_COUNT_##name##_hits, .misses = WS_COUNT_##name##_misses, .merged = WS_COUNT_##name##_merges

void first_start(struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    start_one(sm, FIRST_DATA, m->l1_size,
              &(struct first){.mshrs = data_mshrs(m), .merges = m->l1_targets, TAGS(l1, m->l1_sectors)});
    start_one(sm, FIRST_CODE, m->icache_size, &(struct first){.mshrs = m->icache_mshrs, .merges = MOST_MERGES, TAGS(icache, 1)});
    start_one(sm, FIRST_CONSTANT, m->constant_size,
              &(struct first){.mshrs = m->constant_mshrs, .merges = MOST_MERGES, TAGS(constant, 1)});
    start_one(sm, FIRST_TEXTURE, m->texture_size,
              &(struct first){.mshrs = m->texture_mshrs, .merges = m->l1_targets, TAGS(texture, 1)});
}

static struct waits **waits_for(struct first *first, u32 granule)
{
    struct waits **place = &first->waits;
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

void first_finish(struct sm *sm)
{
    for (enum first_cache cache = 0; cache < FIRST_CACHES; cache++) {
        while (first_of(sm, cache)->waits)
            forget(&first_of(sm, cache)->waits);
        tags_finish(&first_of(sm, cache)->tags);
        free(first_of(sm, cache));
    }
}

/* What is at a granule, as large as its reads are. */
static struct request request_of(const struct first *first, enum request_kind kind, u32 granule)
{
    const u32 bytes = first->tags.line_bytes / first->tags.sectors;
    return (struct request){.kind = kind, .granule = granule, .bytes = bytes, .sectors = bytes / WS_GRANULE_BYTES};
}

static enum outcome join(struct sm *sm, struct first *first, u32 granule, u32 misses, u32 ticket)
{
    struct waits *const waits = *waits_for(first, granule);
    if (waits->joined == first->merges)
        return REFUSED;
    waits->tickets[waits->joined++] = ticket;
    count(sm, misses, 1);
    count(sm, first->merged, 1);
    return WAITS;
}

static void open_mshr(struct first *first, u32 granule, u32 ticket)
{
    struct waits *const waits = *waits_for(first, granule) = oracle_allocate(1, sizeof *waits);
    *waits = (struct waits){.granule = granule, .tickets = {ticket}, .joined = 1};
    first->in_flight++;
}

/* line: that of the granule, whose sector is missing, or NULL. */
static enum outcome miss(struct sm *sm, enum first_cache cache, struct line *line, u32 granule, u32 misses, u32 ticket)
{
    struct first *const first = first_of(sm, cache);
    struct line *const way = line ? line : tags_way(&first->tags, granule);
    if (first->in_flight == first->mshrs || !way)
        return REFUSED;
    const bool writes_back = !line && way->dirty && line_has(way, LINE_VALID);
    const struct request read = request_of(first, LOAD, granule),
                         victim = request_of(first, STORE, tags_granule(&first->tags, way));
    if (!send_fits(sm, writes_back ? 2 : 1))
        return REFUSED;
    count(sm, misses, 1);
    open_mshr(first, granule, ticket);
    if (line) {
        tags_become(&first->tags, line, granule, LINE_RESERVED);
        tags_touch(&first->tags, line);
    } else {
        tags_fill(&first->tags, way, granule, LINE_RESERVED);
    }
    send_request(sm, cache, &read, NO_TICKET);
    if (writes_back) {
        send_request(sm, cache, &victim, NO_TICKET);
        count(sm, WS_COUNT_l1_writebacks, 1);
    }
    if (cache == FIRST_DATA)
        count_most(sm, WS_COUNT_mshrs_most, first->in_flight);
    return WAITS;
}

/* A load, or a store that is like one. */
static enum outcome look_up(struct sm *sm, enum first_cache cache, const struct request *request, u32 ticket)
{
    struct first *const first = first_of(sm, cache);
    const bool store = request->kind == STORE;
    const u32 granule = request->granule, misses = store ? (u32)WS_COUNT_l1_store_misses : first->misses;
    struct line *line = tags_find(&first->tags, granule);
    enum outcome outcome = FOUND;
    if (tags_state(&first->tags, line, granule) == LINE_VALID) {
        count(sm, store ? (u32)WS_COUNT_l1_store_hits : first->hits, 1);
        tags_touch(&first->tags, line);
    } else if (tags_state(&first->tags, line, granule) == LINE_RESERVED) {
        outcome = join(sm, first, granule, misses, ticket);
    } else {
        outcome = miss(sm, cache, line, granule, misses, ticket);
    }
    if (store && outcome != REFUSED)
        tags_find(&first->tags, granule)->dirty = true;
    return outcome;
}

static enum outcome write_through(struct sm *sm, const struct request *request, u32 ticket)
{
    struct first *const first = first_of(sm, FIRST_DATA);
    struct line *const line = tags_find(&first->tags, request->granule);
    const bool hit = tags_state(&first->tags, line, request->granule) == LINE_VALID;
    if (!send_fits(sm, 1))
        return REFUSED;
    count(sm, hit ? WS_COUNT_l1_store_hits : WS_COUNT_l1_store_misses, 1);
    if (hit && sm->machine->l1_store == WS_store_evict)
        tags_become(&first->tags, line, request->granule, LINE_INVALID);
    else if (hit)
        tags_touch(&first->tags, line);
    send_request(sm, FIRST_DATA, request, ticket);
    return WAITS;
}

static enum outcome pass_by(struct sm *sm, const struct request *request, u32 ticket)
{
    if (!send_fits(sm, 1))
        return REFUSED;
    count(sm, WS_COUNT_l1_misses, 1);
    send_request(sm, FIRST_DATA, request, ticket);
    return WAITS;
}

enum outcome first_access(struct sm *sm, enum first_cache cache, const struct request *request, u32 ticket)
{
    const struct first *const first = first_of(sm, cache);
    if (first->always_hits || (cache == FIRST_DATA && sm->machine->memory_ideal == WS_toggle_on)) {
        count(sm, request->kind == STORE ? (u32)WS_COUNT_l1_store_hits : first->hits, 1);
        return FOUND;
    }
    if (request->kind == ATOMIC || (request->kind == LOAD && cache == FIRST_DATA && sm->machine->l1_bypass == WS_toggle_on))
        return pass_by(sm, request, ticket);
    if (request->kind == STORE && sm->machine->l1_store != WS_store_back)
        return write_through(sm, request, ticket);
    return look_up(sm, cache, request, ticket);
}

void first_fill(struct sm *sm, enum first_cache cache, u32 granule)
{
    struct first *const first = first_of(sm, cache);
    const struct waits *const waits = *waits_for(first, granule);
    tags_become(&first->tags, tags_find(&first->tags, granule), granule, LINE_VALID);
    first->in_flight--;
    for (u32 i = 0; i < waits->joined; i++)
        if (cache == FIRST_CODE)
            sm->rules.pipeline->code_arrives(sm, waits->tickets[i]);
        else
            sm->rules.pipeline->data_arrives(sm, waits->tickets[i]);
    forget(waits_for(first, granule));
}

u32 first_reads(const struct sm *sm, enum first_cache cache)
{
    return first_of(sm, cache)->in_flight;
}

static void check_one(const struct sm *sm, const struct first *first)
{
    const struct tags *const tags = &first->tags;
    u32 reserved = 0;
    for (u32 i = 0; i < tags->sets * tags->ways * tags->sectors; i++)
        reserved += tags->lines[i / tags->sectors].sectors[i % tags->sectors] == LINE_RESERVED;
    for (const struct waits *waits = first->waits; waits; waits = waits->next)
        if (waits->joined == 0 || waits->joined > first->merges)
            invariants_breach(sm, NULL, "%u accesses wait for a line", waits->joined);
    if (reserved != first->in_flight || reserved > first->mshrs)
        invariants_breach(sm, NULL, "%u of %u MSHRs are in use, and %u sectors reserved", first->in_flight, first->mshrs, reserved);
}

void first_check(const struct sm *sm)
{
    for (enum first_cache cache = 0; cache < FIRST_CACHES; cache++)
        check_one(sm, first_of(sm, cache));
}
