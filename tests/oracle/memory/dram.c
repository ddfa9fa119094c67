/* Banks, bus and queue (memory.md, fixed): a list of requests in order of arrival. */
#include <stdlib.h>

#include "oracle/memory/levels.h"

struct held {
    struct held *next;
    struct request request;
    u32 ticket; /* NO_TICKET: a write */
    u32 bank;
    u64 ready;
};

struct bank {
    u64 free, last_ready;
    bool open;
    u32 row;
};

struct dram {
    struct held *queue;
    struct held *burst; /* on the bus */
    u64 burst_cycles, burst_ends, remainder;
    u32 tickets; /* given so far */
    struct bank *banks;
};

static void start(struct sm *sm, struct level *level)
{
    struct dram *own = oracle_allocate(1, sizeof *own);
    own->banks = oracle_allocate(sm->machine->dram_banks, sizeof *own->banks);
    level->own = own;
}

static void finish(struct level *level)
{
    struct dram *own = level->own;
    while (own->queue) {
        struct held *next = own->queue->next;
        free(own->queue);
        own->queue = next;
    }
    free(own->banks);
    free(own);
}

/* When the bank has the data of a request that arrives now. */
static u64 serve(struct sm *sm, struct bank *bank, u32 row, u32 bytes)
{
    const struct ws_machine *m = sm->machine;
    const u64 burst = ((u64)bytes * m->core_clock + m->dram_bandwidth - 1) / m->dram_bandwidth;
    const u64 starts = sm->now > bank->free ? sm->now : bank->free;
    const bool hit = bank->open && bank->row == row;
    const u64 opening = !hit && m->dram_row_conflict > m->dram_row_hit ? m->dram_row_conflict - m->dram_row_hit : 0;
    u64 ready = starts + (hit ? m->dram_row_hit : m->dram_row_conflict);
    if (ready < bank->last_ready)
        ready = bank->last_ready;
    bank->free = starts + opening + burst;
    bank->last_ready = ready;
    bank->open = true;
    bank->row = row;
    count(sm, hit ? WS_COUNT_row_hits : WS_COUNT_row_conflicts, 1);
    return ready;
}

static bool fits(const struct sm *sm, const struct level *level, const struct request *requests, u32 requested)
{
    const struct dram *own = level->own;
    u32 room = sm->machine->dram_queue;
    (void)requests;
    for (const struct held *held = own->queue; held; held = held->next)
        room--;
    return requested <= room;
}

static u32 ask(struct sm *sm, struct level *level, const struct request *request)
{
    struct dram *own = level->own;
    struct held *held = oracle_allocate(1, sizeof *held);
    u32 row;
    held->request = *request;
    held->ticket = request->kind == LOAD ? ++own->tickets : NO_TICKET;
    dram_place(sm, request->granule, &held->bank, &row);
    held->ready = serve(sm, &own->banks[held->bank], row, request->bytes);
    count(sm, request->kind == LOAD ? WS_COUNT_dram_reads : WS_COUNT_dram_writes, 1);
    count(sm, WS_COUNT_dram_bytes, request->bytes);
    struct held **last = &own->queue;
    while (*last)
        last = &(*last)->next;
    *last = held;
    return held->ticket;
}

static u32 reads(const struct level *level)
{
    const struct dram *own = level->own;
    u32 reading = 0;
    for (const struct held *held = own->queue; held; held = held->next)
        reading += held->ticket != NO_TICKET;
    return reading;
}

static void end_burst(struct sm *sm, struct dram *own)
{
    struct held **place_in_queue = &own->queue, *held = own->burst;
    while (*place_in_queue != held)
        place_in_queue = &(*place_in_queue)->next;
    *place_in_queue = held->next;
    own->burst = NULL;
    count(sm, WS_COUNT_dram_busy, own->burst_cycles);
    if (held->ticket != NO_TICKET)
        held->request.from->rules->arrives(sm, held->request.from, held->ticket);
    free(held);
}

/* The next burst: by ready, then bank, then arrival. */
static struct held *first_ready(const struct sm *sm, const struct dram *own)
{
    struct held *first = NULL;
    for (struct held *held = own->queue; held; held = held->next) {
        if (held->ready > sm->now)
            continue;
        if (!first || held->ready < first->ready || (held->ready == first->ready && held->bank < first->bank))
            first = held;
    }
    return first;
}

static void start_burst(const struct sm *sm, struct dram *own, struct held *held)
{
    own->remainder += (u64)held->request.bytes * sm->machine->core_clock;
    own->burst = held;
    own->burst_cycles = own->remainder / sm->machine->dram_bandwidth;
    own->burst_ends = sm->now + own->burst_cycles;
    own->remainder %= sm->machine->dram_bandwidth;
}

static void cycle(struct sm *sm, struct level *level)
{
    struct dram *own = level->own;
    for (;;) {
        if (own->burst && own->burst_ends == sm->now)
            end_burst(sm, own);
        struct held *next = own->burst ? NULL : first_ready(sm, own);
        if (!next)
            return;
        start_burst(sm, own, next);
        if (own->burst_cycles > 0)
            return;
    }
}

const struct oracle_level oracle_level_dram = {
    .start = start, .finish = finish, .fits = fits, .ask = ask, .reads = reads, .cycle = cycle};
