/* This SM's share of the L2 cache. Its lines are those of the data cache of the SM. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/memory/levels.h"

struct l2 {
    struct tags tags;
    struct messages *waiting; /* for each sector of each line */
    u64 port_free;
    u32 in_flight; /* sectors */
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
               &(struct tags){.ways = m->l2_ways, .line_bytes = m->l1_line, .sectors = m->l2_sectors, .seed = m->memory_seed});
    own->waiting = oracle_allocate((size_t)own->tags.sets * m->l2_ways * m->l2_sectors, sizeof *own->waiting);
    sm->levels->l2 = own;
}

static u32 lines(const struct sm *sm)
{
    return own_of(sm)->tags.sets * own_of(sm)->tags.ways;
}

static u32 sectors(const struct sm *sm)
{
    return lines(sm) * own_of(sm)->tags.sectors;
}

static u32 sector_granules(const struct sm *sm)
{
    return sm->machine->l1_line / sm->machine->l2_sectors / WS_GRANULE_BYTES;
}

void l2_finish(struct sm *sm)
{
    struct l2 *const own = own_of(sm);
    for (u32 i = 0; i < sectors(sm); i++)
        messages_free(&own->waiting[i]);
    free(own->waiting);
    tags_finish(&own->tags);
    free(own);
}

/* ---- Lines ---- */

static struct messages *waiting_for(const struct sm *sm, const struct line *line, u32 granule)
{
    const struct tags *const tags = &own_of(sm)->tags;
    const u32 sector = granule % (tags->line_bytes / WS_GRANULE_BYTES) / sector_granules(sm);
    return &own_of(sm)->waiting[(u32)(line - tags->lines) * tags->sectors + sector];
}

static u32 valid_sectors(const struct line *line)
{
    u32 valid = 0;
    for (u32 sector = 0; sector < MOST_SECTORS; sector++)
        valid += line->sectors[sector] == LINE_VALID;
    return valid;
}

static enum line_state state_of(const struct sm *sm, const struct line *line, u32 granule)
{
    return tags_state(&own_of(sm)->tags, line, granule);
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

static u64 bytes_ready(struct sm *sm, u64 bytes)
{
    const u64 line = sm->machine->l1_line;
    return use_port(sm, (sm->machine->l2_data_port * bytes + line - 1) / line);
}

static u64 sector_ready(struct sm *sm)
{
    return bytes_ready(sm, (u64)sector_granules(sm) * WS_GRANULE_BYTES);
}

static u64 write_ready(struct sm *sm, const struct request *request)
{
    return bytes_ready(sm, (u64)request->sectors * WS_GRANULE_BYTES);
}

/* ---- Lookup ---- */

static bool store_is(const struct sm *sm, u32 policy)
{
    return sm->machine->l2_store == policy;
}

/* A line that has other sectors gets this one, too. */
static bool can_reserve(const struct sm *sm, u32 granule)
{
    const u32 mshrs = sm->machine->l2_mshrs;
    const struct tags *const tags = &own_of(sm)->tags;
    return (mshrs == 0 || own_of(sm)->in_flight < mshrs) && (tags_find(tags, granule) || tags_way(tags, granule)) && timed_fits(sm);
}

static void write_back(struct sm *sm, u32 granule, u32 written)
{
    timed_send(sm, STORE, granule, written * sector_granules(sm) * WS_GRANULE_BYTES, NULL);
    count(sm, WS_COUNT_l2_writebacks, 1);
}

static void read_or_write(struct sm *sm, enum request_kind kind, u32 granule, struct message *message)
{
    timed_send(sm, kind, granule, sector_granules(sm) * WS_GRANULE_BYTES, message);
}

static struct line *reserve(struct sm *sm, u32 granule, bool dirty)
{
    struct tags *const tags = &own_of(sm)->tags;
    struct line *line = tags_find(tags, granule);
    u32 victim = 0, written = 0;
    if (line) {
        tags_become(tags, line, granule, LINE_RESERVED);
        tags_touch(tags, line);
    } else {
        line = tags_way(tags, granule);
        victim = tags_granule(tags, line);
        written = line->dirty ? valid_sectors(line) : 0;
        tags_fill(tags, line, granule, LINE_RESERVED);
    }
    line->dirty |= dirty;
    own_of(sm)->in_flight++;
    read_or_write(sm, LOAD, granule, NULL);
    if (written > 0)
        write_back(sm, victim, written);
    return line;
}

/* A read or an atomic: whether the lookup is complete. */
static bool look_up_read(struct sm *sm, struct message *message, u32 granule)
{
    const bool atomic = message->request.kind == ATOMIC, writes = atomic && store_is(sm, WS_l2_store_through);
    const bool dirties = atomic && !writes;
    struct line *line = tags_find(&own_of(sm)->tags, granule);
    const enum line_state state = state_of(sm, line, granule);
    if (state != LINE_INVALID ? writes && !timed_fits(sm) : !can_reserve(sm, granule))
        return false;
    const bool hit = state == LINE_VALID;
    count(sm, hit ? WS_COUNT_l2_hits : WS_COUNT_l2_misses, 1);
    if (writes)
        read_or_write(sm, STORE, granule, NULL);
    if (state == LINE_INVALID)
        line = reserve(sm, granule, false);
    else if (hit)
        tags_touch(&own_of(sm)->tags, line);
    else
        count(sm, WS_COUNT_l2_merges, 1);
    line->dirty |= dirties;
    if (hit)
        replies_send(sm, message, sector_ready(sm));
    else
        messages_append(waiting_for(sm, line, granule), message);
    return true;
}

static bool write_line(struct sm *sm, struct line *line, u32 granule)
{
    const bool through = store_is(sm, WS_l2_store_through);
    if (through && !timed_fits(sm))
        return false;
    count(sm, state_of(sm, line, granule) == LINE_VALID ? WS_COUNT_l2_store_hits : WS_COUNT_l2_store_misses, 1);
    tags_touch(&own_of(sm)->tags, line);
    if (through)
        read_or_write(sm, STORE, granule, NULL);
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
        read_or_write(sm, STORE, granule, NULL);
    if (allocates)
        reserve(sm, granule, !writes);
    return true;
}

static bool look_up_write(struct sm *sm, struct message *message, u32 granule)
{
    struct line *const line = tags_find(&own_of(sm)->tags, granule);
    if (state_of(sm, line, granule) != LINE_INVALID ? !write_line(sm, line, granule) : !write_elsewhere(sm, granule))
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
        read_or_write(sm, STORE, granule, NULL);
    if (kind == STORE)
        replies_send(sm, message, write_ready(sm, &message->request));
    else
        read_or_write(sm, LOAD, granule, message);
    return true;
}

void l2_cycle(struct sm *sm)
{
    struct messages *const sent = &sm->levels->sent;
    struct message *const message = sent->first;
    if (!message || message->arrives > sm->now)
        return;
    struct message *const rest = message->next; /* lookup complete: the message moves to another list */
    const u32 granule = message->request.granule - message->request.granule % sector_granules(sm);
    const bool done = is_off(sm)                       ? pass_on(sm, message, granule)
                      : message->request.kind == STORE ? look_up_write(sm, message, granule)
                                                       : look_up_read(sm, message, granule);
    if (done)
        sent->first = rest;
}

void l2_line_comes(struct sm *sm, u32 granule, struct message *message)
{
    const u64 ready = sector_ready(sm);
    if (message) {
        replies_send(sm, message, ready);
        return;
    }
    struct line *const line = tags_find(&own_of(sm)->tags, granule);
    tags_become(&own_of(sm)->tags, line, granule, LINE_VALID);
    own_of(sm)->in_flight--;
    while (waiting_for(sm, line, granule)->first)
        replies_send(sm, messages_take(waiting_for(sm, line, granule)), ready);
}

u32 l2_waiting(const struct sm *sm)
{
    u32 waiting = 0;
    for (u32 i = 0; i < sectors(sm); i++)
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
        for (u32 sector = 0; sector < MOST_SECTORS; sector++)
            reserved += own_of(sm)->tags.lines[i].sectors[sector] == LINE_RESERVED;
    if (reserved != own_of(sm)->in_flight || (mshrs > 0 && reserved > mshrs))
        invariants_violation(sm, NULL, "the L2 cache reads %u sectors, and %u are reserved", own_of(sm)->in_flight, reserved);
}
