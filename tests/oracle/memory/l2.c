/* This SM's share of the L2 cache. Its lines are those of the data cache of the SM. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/memory/levels.h"

struct l2 {
    struct tags tags;
    struct messages *waiting; /* for each line */
    u64 port_free;
    u32 in_flight; /* lines */
};

static struct l2 *own_of(const struct sm *sm)
{
    return sm->levels->l2;
}

static bool is_off(const struct sm *sm)
{
    return sm->machine->l2_size == 0;
}

void l2_start(struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    struct l2 *const own = oracle_allocate(1, sizeof *own);
    tags_start(&own->tags, m->l2_size, m->l2_replacement,
               &(struct tags){.ways = m->l2_ways, .line_bytes = m->l1_line, .sectors = 1, .seed = m->memory_seed});
    own->waiting = oracle_allocate((size_t)own->tags.sets * m->l2_ways, sizeof *own->waiting);
    sm->levels->l2 = own;
}

static u32 lines(const struct sm *sm)
{
    return own_of(sm)->tags.sets * own_of(sm)->tags.ways;
}

void l2_finish(struct sm *sm)
{
    struct l2 *const own = own_of(sm);
    for (u32 i = 0; i < lines(sm); i++)
        messages_free(&own->waiting[i]);
    free(own->waiting);
    tags_finish(&own->tags);
    free(own);
}

/* ---- Lines ---- */

static struct messages *waiting_for(const struct sm *sm, const struct line *line)
{
    return &own_of(sm)->waiting[line - own_of(sm)->tags.lines];
}

static bool is_valid(const struct line *line)
{
    return line && line_has(line, LINE_VALID);
}

/* ---- The data port ---- */

/* The cycle in which an access that uses the port now is ready. */
static u64 use_port(struct sm *sm, u64 cycles)
{
    struct l2 *const own = own_of(sm);
    const u64 begins = own->port_free > sm->now ? own->port_free : sm->now;
    own->port_free = begins + cycles;
    return own->port_free;
}

static u64 line_ready(struct sm *sm)
{
    return use_port(sm, sm->machine->l2_data_port);
}

static u64 write_ready(struct sm *sm, const struct request *request)
{
    const u64 line = sm->machine->l1_line;
    return use_port(sm, ((u64)sm->machine->l2_data_port * WS_GRANULE_BYTES * request->sectors + line - 1) / line);
}

/* ---- Lookup ---- */

static bool store_is(const struct sm *sm, u32 policy)
{
    return sm->machine->l2_store == policy;
}

static bool can_reserve(const struct sm *sm, u32 granule)
{
    const u32 mshrs = sm->machine->l2_mshrs;
    return (mshrs == 0 || own_of(sm)->in_flight < mshrs) && tags_way(&own_of(sm)->tags, granule) && timed_fits(sm);
}

static struct line *reserve(struct sm *sm, u32 granule, bool dirty)
{
    struct line *const way = tags_way(&own_of(sm)->tags, granule);
    const u32 victim = tags_granule(&own_of(sm)->tags, way);
    const bool writes_back = is_valid(way) && way->dirty;
    tags_fill(&own_of(sm)->tags, way, granule, LINE_RESERVED);
    way->dirty = dirty;
    own_of(sm)->in_flight++;
    timed_send(sm, LOAD, granule, NULL);
    if (writes_back) {
        timed_send(sm, STORE, victim, NULL);
        count(sm, WS_COUNT_l2_writebacks, 1);
    }
    return way;
}

/* A read or an atomic: whether the lookup is complete. */
static bool look_up_read(struct sm *sm, struct message *message, u32 granule)
{
    const bool atomic = message->request.kind == ATOMIC, writes = atomic && store_is(sm, WS_l2_store_through);
    const bool dirties = atomic && !writes;
    struct line *line = tags_find(&own_of(sm)->tags, granule);
    if (line ? writes && !timed_fits(sm) : !can_reserve(sm, granule))
        return false;
    const bool hit = is_valid(line);
    count(sm, hit ? WS_COUNT_l2_hits : WS_COUNT_l2_misses, 1);
    if (writes)
        timed_send(sm, STORE, granule, NULL);
    if (!line)
        line = reserve(sm, granule, false);
    else if (hit)
        tags_touch(&own_of(sm)->tags, line);
    else
        count(sm, WS_COUNT_l2_merges, 1);
    line->dirty |= dirties;
    if (hit)
        replies_send(sm, message, line_ready(sm));
    else
        messages_append(waiting_for(sm, line), message);
    return true;
}

static bool write_line(struct sm *sm, struct line *line)
{
    const bool through = store_is(sm, WS_l2_store_through);
    if (through && !timed_fits(sm))
        return false;
    count(sm, is_valid(line) ? WS_COUNT_l2_store_hits : WS_COUNT_l2_store_misses, 1);
    tags_touch(&own_of(sm)->tags, line);
    if (through)
        timed_send(sm, STORE, tags_granule(&own_of(sm)->tags, line), NULL);
    else
        line->dirty = true;
    return true;
}

static bool write_elsewhere(struct sm *sm, u32 granule)
{
    const bool allocates = !store_is(sm, WS_l2_store_through), writes = !store_is(sm, WS_l2_store_back);
    if (allocates ? !can_reserve(sm, granule) : !timed_fits(sm))
        return false;
    count(sm, WS_COUNT_l2_store_misses, 1);
    if (writes)
        timed_send(sm, STORE, granule, NULL);
    if (allocates)
        reserve(sm, granule, !writes);
    return true;
}

static bool look_up_write(struct sm *sm, struct message *message, u32 granule)
{
    struct line *const line = tags_find(&own_of(sm)->tags, granule);
    if (line ? !write_line(sm, line) : !write_elsewhere(sm, granule))
        return false;
    replies_send(sm, message, write_ready(sm, &message->request));
    return true;
}

static bool pass_on(struct sm *sm, struct message *message, u32 granule)
{
    const enum request_kind kind = message->request.kind;
    if (!timed_fits(sm))
        return false;
    if (kind != LOAD)
        timed_send(sm, STORE, granule, NULL);
    if (kind == STORE)
        replies_send(sm, message, write_ready(sm, &message->request));
    else
        timed_send(sm, LOAD, granule, message);
    return true;
}

void l2_cycle(struct sm *sm)
{
    struct messages *const sent = &sm->levels->sent;
    struct message *const message = sent->first;
    if (!message || message->arrives > sm->now)
        return;
    struct message *const rest = message->next; /* lookup complete: the message moves to another list */
    const u32 line = sm->machine->l1_line / WS_GRANULE_BYTES, granule = message->request.granule / line * line;
    const bool done = is_off(sm)                       ? pass_on(sm, message, granule)
                      : message->request.kind == STORE ? look_up_write(sm, message, granule)
                                                       : look_up_read(sm, message, granule);
    if (done)
        sent->first = rest;
}

void l2_line_comes(struct sm *sm, u32 granule, struct message *message)
{
    const u64 ready = line_ready(sm);
    if (message) {
        replies_send(sm, message, ready);
        return;
    }
    struct line *const line = tags_find(&own_of(sm)->tags, granule);
    tags_become(&own_of(sm)->tags, line, granule, LINE_VALID);
    own_of(sm)->in_flight--;
    while (waiting_for(sm, line)->first)
        replies_send(sm, messages_take(waiting_for(sm, line)), ready);
}

u32 l2_waiting(const struct sm *sm)
{
    u32 waiting = 0;
    for (u32 i = 0; i < lines(sm); i++)
        waiting += messages_count(&own_of(sm)->waiting[i]);
    return waiting;
}

u32 l2_reads(const struct sm *sm)
{
    return own_of(sm)->in_flight;
}

void l2_check(const struct sm *sm)
{
    const u32 mshrs = sm->machine->l2_mshrs;
    u32 reserved = 0;
    for (u32 i = 0; i < lines(sm); i++)
        reserved += line_has(&own_of(sm)->tags.lines[i], LINE_RESERVED);
    if (reserved != own_of(sm)->in_flight || (mshrs > 0 && reserved > mshrs))
        invariants_violation(sm, NULL, "the L2 cache reads %u lines, and %u ways are reserved", own_of(sm)->in_flight, reserved);
}
