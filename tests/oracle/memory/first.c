/* Caches of the SM: data, instructions, constants, textures. */
#include "oracle/memory/first.h"

#include <stdlib.h>

#include "oracle/invariants.h"

enum { MOST_MSHRS = 1024 };

static struct first *first_of(const struct sm *sm, enum first_cache cache)
{
    return sm->levels->first[cache];
}

static void start_one(struct sm *sm, enum first_cache cache, u32 size, u32 ways, const struct first *rest)
{
    struct first *const first = oracle_allocate(1, sizeof *first);
    *first = *rest;
    first->ways = ways;
    first->always_hits = size == 0;
    first->sets = size / (ways * first->line_bytes);
    first->lines = oracle_allocate((size_t)first->sets * ways, sizeof *first->lines);
    sm->levels->first[cache] = first;
}

static u32 data_mshrs(const struct ws_machine *m)
{
    const u32 lines = m->l1_size / m->l1_line, most = lines < MOST_MSHRS ? lines : MOST_MSHRS;
    return m->l1_mshrs == 0 || m->l1_mshrs > most ? most : m->l1_mshrs;
}

#define COUNTERS(name) .hits = WS_COUNT_##name##_hits, .misses = WS_COUNT_##name##_misses, .merged = WS_COUNT_##name##_merges

void first_start(struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    start_one(sm, FIRST_DATA, m->l1_size, m->l1_ways,
              &(struct first){.line_bytes = m->l1_line, .mshrs = data_mshrs(m), .merges = m->l1_targets, COUNTERS(l1)});
    start_one(sm, FIRST_CODE, m->icache_size, m->icache_ways,
              &(struct first){.line_bytes = m->icache_line, .mshrs = m->icache_mshrs, .merges = MOST_MERGES, COUNTERS(icache)});
    start_one(
        sm, FIRST_CONSTANT, m->constant_size, m->constant_ways,
        &(struct first){.line_bytes = m->constant_line, .mshrs = m->constant_mshrs, .merges = MOST_MERGES, COUNTERS(constant)});
    start_one(
        sm, FIRST_TEXTURE, m->texture_size, m->texture_ways,
        &(struct first){.line_bytes = m->texture_line, .mshrs = m->texture_mshrs, .merges = m->l1_targets, COUNTERS(texture)});
}

void first_finish(struct sm *sm)
{
    for (enum first_cache cache = 0; cache < FIRST_CACHES; cache++) {
        free(first_of(sm, cache)->lines);
        free(first_of(sm, cache));
    }
}

static struct first_line *set_of(const struct first *first, u32 number)
{
    return &first->lines[(size_t)(number % first->sets) * first->ways];
}

static u32 number_of(const struct first *first, u32 granule)
{
    return granule / (first->line_bytes / WS_GRANULE_BYTES);
}

/* The line, valid or reserved, or NULL. */
static struct first_line *find(const struct first *first, u32 number)
{
    struct first_line *const set = set_of(first, number);
    for (u32 way = 0; way < first->ways; way++)
        if (set[way].state != LINE_INVALID && set[way].number == number)
            return &set[way];
    return NULL;
}

/* The way that a line gets, or NULL. */
static struct first_line *find_way(const struct first *first, u32 number)
{
    struct first_line *const set = set_of(first, number), *oldest = NULL;
    for (u32 way = 0; way < first->ways; way++) {
        if (set[way].state == LINE_INVALID)
            return &set[way];
        if (set[way].state == LINE_VALID && (!oldest || set[way].touched < oldest->touched))
            oldest = &set[way];
    }
    return oldest;
}

static void touch(struct first *first, struct first_line *line)
{
    line->touched = ++first->touches;
}

/* The whole line of a number. */
static struct request request_of(const struct first *first, enum request_kind kind, u32 number)
{
    const u32 sectors = first->line_bytes / WS_GRANULE_BYTES;
    return (struct request){.kind = kind, .granule = number * sectors, .bytes = first->line_bytes, .sectors = sectors};
}

static enum outcome join(struct sm *sm, const struct first *first, struct first_line *line, u32 misses, u32 ticket)
{
    if (line->joined == first->merges)
        return REFUSED;
    line->tickets[line->joined++] = ticket;
    count(sm, misses, 1);
    count(sm, first->merged, 1);
    return WAITS;
}

static enum outcome miss(struct sm *sm, enum first_cache cache, u32 number, u32 misses, u32 ticket)
{
    struct first *const first = first_of(sm, cache);
    struct first_line *const way = find_way(first, number);
    if (first->in_flight == first->mshrs || !way)
        return REFUSED;
    const bool writes_back = way->state == LINE_VALID && way->dirty;
    const struct request read = request_of(first, LOAD, number), victim = request_of(first, STORE, way->number);
    if (!send_fits(sm, writes_back ? 2 : 1))
        return REFUSED;
    count(sm, misses, 1);
    first->in_flight++;
    *way = (struct first_line){.state = LINE_RESERVED, .number = number, .tickets = {ticket}, .joined = 1};
    touch(first, way);
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
    const u32 number = number_of(first, request->granule), misses = store ? (u32)WS_COUNT_l1_store_misses : first->misses;
    struct first_line *line = find(first, number);
    enum outcome outcome = FOUND;
    if (line && line->state == LINE_VALID) {
        count(sm, store ? (u32)WS_COUNT_l1_store_hits : first->hits, 1);
        touch(first, line);
    } else {
        outcome = line ? join(sm, first, line, misses, ticket) : miss(sm, cache, number, misses, ticket);
    }
    if (store && outcome != REFUSED)
        find(first, number)->dirty = true;
    return outcome;
}

static enum outcome write_through(struct sm *sm, const struct request *request, u32 ticket)
{
    struct first *const first = first_of(sm, FIRST_DATA);
    struct first_line *const line = find(first, number_of(first, request->granule));
    const bool hit = line && line->state == LINE_VALID;
    if (!send_fits(sm, 1))
        return REFUSED;
    count(sm, hit ? WS_COUNT_l1_store_hits : WS_COUNT_l1_store_misses, 1);
    if (hit && sm->machine->l1_store == WS_store_evict)
        line->state = LINE_INVALID;
    else if (hit)
        touch(first, line);
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
    if (request->kind == ATOMIC)
        return pass_by(sm, request, ticket);
    if (request->kind == STORE && sm->machine->l1_store != WS_store_back)
        return write_through(sm, request, ticket);
    return look_up(sm, cache, request, ticket);
}

void first_fill(struct sm *sm, enum first_cache cache, u32 granule)
{
    struct first *const first = first_of(sm, cache);
    struct first_line *const line = find(first, number_of(first, granule));
    line->state = LINE_VALID;
    first->in_flight--;
    for (u32 i = 0; i < line->joined; i++)
        if (cache == FIRST_CODE)
            sm->rules.pipeline->code_arrives(sm, line->tickets[i]);
        else
            sm->rules.pipeline->data_arrives(sm, line->tickets[i]);
}

u32 first_reads(const struct sm *sm, enum first_cache cache)
{
    return first_of(sm, cache)->in_flight;
}

static void check_one(const struct sm *sm, const struct first *first)
{
    u32 reserved = 0;
    for (u32 i = 0; i < first->sets * first->ways; i++) {
        if (first->lines[i].state != LINE_RESERVED)
            continue;
        reserved++;
        if (first->lines[i].joined == 0 || first->lines[i].joined > first->merges)
            invariants_breach(sm, NULL, "%u accesses wait for a line", first->lines[i].joined);
    }
    if (reserved != first->in_flight || reserved > first->mshrs)
        invariants_breach(sm, NULL, "%u of %u MSHRs are in use, and %u ways reserved", first->in_flight, first->mshrs, reserved);
}

void first_check(const struct sm *sm)
{
    for (enum first_cache cache = 0; cache < FIRST_CACHES; cache++)
        check_one(sm, first_of(sm, cache));
}
