/* This SM's share of the L2 cache. Its lines are those of the data cache of the SM. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/memory/levels.h"

struct l2_line {
    enum line_state state;
    bool dirty; /* or will be, when it comes */
    u32 number;
    u64 touched;
    struct messages waiting;
};

struct l2 {
    u32 sets;
    struct l2_line *lines; /* set after set */
    u64 touches;
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
    own->sets = m->l2_size / (m->l1_line * m->l2_ways);
    own->lines = oracle_allocate((size_t)own->sets * m->l2_ways, sizeof *own->lines);
    sm->levels->l2 = own;
}

void l2_finish(struct sm *sm)
{
    struct l2 *const own = own_of(sm);
    for (u32 i = 0; i < own->sets * sm->machine->l2_ways; i++)
        messages_free(&own->lines[i].waiting);
    free(own->lines);
    free(own);
}

/* ---- Lines ---- */

static u32 granules(const struct sm *sm)
{
    return sm->machine->l1_line / WS_GRANULE_BYTES;
}

static struct l2_line *set_of(const struct sm *sm, u32 number)
{
    return &own_of(sm)->lines[(size_t)(number % own_of(sm)->sets) * sm->machine->l2_ways];
}

/* The line, valid or reserved, or NULL. */
static struct l2_line *find(const struct sm *sm, u32 number)
{
    struct l2_line *const set = set_of(sm, number);
    for (u32 way = 0; way < sm->machine->l2_ways; way++)
        if (set[way].state != LINE_INVALID && set[way].number == number)
            return &set[way];
    return NULL;
}

/* The way that a line gets, or NULL. */
static struct l2_line *find_way(const struct sm *sm, u32 number)
{
    struct l2_line *const set = set_of(sm, number), *oldest = NULL;
    for (u32 way = 0; way < sm->machine->l2_ways; way++) {
        if (set[way].state == LINE_INVALID)
            return &set[way];
        if (set[way].state == LINE_VALID && (!oldest || set[way].touched < oldest->touched))
            oldest = &set[way];
    }
    return oldest;
}

static void touch(struct sm *sm, struct l2_line *line)
{
    line->touched = ++own_of(sm)->touches;
}

/* ---- The data port ---- */

/* The cycle in which what uses the port now is ready. */
static u64 use_port(struct sm *sm, u64 cycles)
{
    struct l2 *const own = own_of(sm);
    const u64 begins = own->port_free > sm->now ? own->port_free : sm->now;
    own->port_free = begins + cycles;
    return own->port_free;
}

static u64 line_ready(struct sm *sm)
{
    return use_port(sm, sm->machine->l2_port);
}

static u64 write_ready(struct sm *sm, const struct request *request)
{
    const u64 line = sm->machine->l1_line;
    return use_port(sm, ((u64)sm->machine->l2_port * WS_GRANULE_BYTES * request->sectors + line - 1) / line);
}

/* ---- Lookup ---- */

static bool store_is(const struct sm *sm, u32 policy)
{
    return sm->machine->l2_store == policy;
}

static bool can_reserve(const struct sm *sm, u32 number)
{
    const u32 mshrs = sm->machine->l2_mshrs;
    return (mshrs == 0 || own_of(sm)->in_flight < mshrs) && find_way(sm, number) && timed_fits(sm);
}

static struct l2_line *reserve(struct sm *sm, u32 number, bool dirty)
{
    struct l2_line *const way = find_way(sm, number);
    const u32 victim = way->number;
    const bool writes_back = way->state == LINE_VALID && way->dirty;
    *way = (struct l2_line){.state = LINE_RESERVED, .dirty = dirty, .number = number};
    touch(sm, way);
    own_of(sm)->in_flight++;
    timed_send(sm, LOAD, number * granules(sm), NULL);
    if (writes_back) {
        timed_send(sm, STORE, victim * granules(sm), NULL);
        count(sm, WS_COUNT_l2_writebacks, 1);
    }
    return way;
}

/* A read or an atomic: whether it is done with the lookup. */
static bool look_up_read(struct sm *sm, struct message *message, u32 number)
{
    const bool atomic = message->request.kind == ATOMIC, writes = atomic && store_is(sm, WS_l2_store_through);
    const bool dirties = atomic && !writes;
    struct l2_line *line = find(sm, number);
    if (line ? writes && !timed_fits(sm) : !can_reserve(sm, number))
        return false;
    const bool hit = line && line->state == LINE_VALID;
    count(sm, hit ? WS_COUNT_l2_hits : WS_COUNT_l2_misses, 1);
    if (writes)
        timed_send(sm, STORE, number * granules(sm), NULL);
    if (!line)
        line = reserve(sm, number, false);
    else if (hit)
        touch(sm, line);
    else
        count(sm, WS_COUNT_l2_merges, 1);
    line->dirty |= dirties;
    if (hit)
        replies_send(sm, message, line_ready(sm));
    else
        messages_append(&line->waiting, message);
    return true;
}

static bool write_line(struct sm *sm, struct l2_line *line)
{
    const bool through = store_is(sm, WS_l2_store_through);
    if (through && !timed_fits(sm))
        return false;
    count(sm, line->state == LINE_VALID ? WS_COUNT_l2_store_hits : WS_COUNT_l2_store_misses, 1);
    touch(sm, line);
    if (through)
        timed_send(sm, STORE, line->number * granules(sm), NULL);
    else
        line->dirty = true;
    return true;
}

static bool write_elsewhere(struct sm *sm, u32 number)
{
    const bool allocates = !store_is(sm, WS_l2_store_through), writes = !store_is(sm, WS_l2_store_back);
    if (allocates ? !can_reserve(sm, number) : !timed_fits(sm))
        return false;
    count(sm, WS_COUNT_l2_store_misses, 1);
    if (writes)
        timed_send(sm, STORE, number * granules(sm), NULL);
    if (allocates)
        reserve(sm, number, !writes);
    return true;
}

static bool look_up_write(struct sm *sm, struct message *message, u32 number)
{
    struct l2_line *const line = find(sm, number);
    if (line ? !write_line(sm, line) : !write_elsewhere(sm, number))
        return false;
    replies_send(sm, message, write_ready(sm, &message->request));
    return true;
}

static bool pass_on(struct sm *sm, struct message *message, u32 number)
{
    const enum request_kind kind = message->request.kind;
    if (!timed_fits(sm))
        return false;
    if (kind != LOAD)
        timed_send(sm, STORE, number * granules(sm), NULL);
    if (kind == STORE)
        replies_send(sm, message, write_ready(sm, &message->request));
    else
        timed_send(sm, LOAD, number * granules(sm), message);
    return true;
}

void l2_cycle(struct sm *sm)
{
    struct messages *const sent = &sm->levels->sent;
    struct message *const message = sent->first;
    if (!message || message->arrives > sm->now)
        return;
    struct message *const rest = message->next; /* done with the lookup, the message goes on to another list */
    const u32 number = message->request.granule / granules(sm);
    const bool done = is_off(sm)                       ? pass_on(sm, message, number)
                      : message->request.kind == STORE ? look_up_write(sm, message, number)
                                                       : look_up_read(sm, message, number);
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
    struct l2_line *const line = find(sm, granule / granules(sm));
    line->state = LINE_VALID;
    own_of(sm)->in_flight--;
    while (line->waiting.first)
        replies_send(sm, messages_take(&line->waiting), ready);
}

u32 l2_waiting(const struct sm *sm)
{
    u32 waiting = 0;
    for (u32 i = 0; i < own_of(sm)->sets * sm->machine->l2_ways; i++)
        waiting += messages_count(&own_of(sm)->lines[i].waiting);
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
    for (u32 i = 0; i < own_of(sm)->sets * sm->machine->l2_ways; i++)
        reserved += own_of(sm)->lines[i].state == LINE_RESERVED;
    if (reserved != own_of(sm)->in_flight || (mshrs > 0 && reserved > mshrs))
        invariants_breach(sm, NULL, "the L2 cache reads %u lines, and %u ways are reserved", own_of(sm)->in_flight, reserved);
}
