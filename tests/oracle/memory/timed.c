/* DRAM with DDR timings: banks that each serve one request at a time, one bus. */
#include <stdlib.h>

#include "oracle/memory/levels.h"

enum stage { SENT, ENTERED, PICKED, COMING };

/* A request that is not yet served. */
struct timed_request {
    struct timed_request *next;
    struct request request; /* a LOAD or STORE; without a level: of the L2 cache */
    u32 ticket, bank, row;
    struct message *message; /* for the message, without an L2 cache */
    enum stage stage;
    u64 at; /* SENT: reaches the DRAM; PICKED: its column access may come; COMING: the line comes */
    u64 column;
};

struct timed_bank {
    bool open, activated;
    u32 row;
    u64 activation, column_ends; /* the last ones */
};

struct timed {
    struct timed_request *requests; /* as they were sent */
    struct timed_bank *banks;
    bool activated; /* any bank */
    u64 activation;
    u64 bus_free, remainder;
    u32 tickets; /* given so far */
};

static struct timed *own_of(const struct sm *sm)
{
    return sm->timed;
}

void timed_start(struct sm *sm)
{
    struct timed *const own = oracle_allocate(1, sizeof *own);
    own->banks = oracle_allocate(sm->machine->dram_banks, sizeof *own->banks);
    sm->timed = own;
}

void timed_finish(struct timed *own)
{
    while (own->requests) {
        struct timed_request *const next = own->requests->next;
        free(own->requests->message);
        free(own->requests);
        own->requests = next;
    }
    free(own->banks);
    free(own);
}

/* Cycles of the memory's clock in cycles of the SM. */
static u64 cycles_of(const struct sm *sm, u32 time)
{
    const u64 clock = sm->machine->dram_clock;
    return clock == 0 ? time : ((u64)time * sm->machine->core_clock + clock - 1) / clock;
}

u32 timed_unserved(const struct sm *sm)
{
    u32 unserved = 0;
    for (const struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        unserved++;
    return unserved;
}

u32 timed_reads(const struct timed *own)
{
    u32 reading = 0;
    for (const struct timed_request *request = own->requests; request; request = request->next)
        reading += request->request.kind == LOAD;
    return reading;
}

u32 timed_messages(const struct sm *sm)
{
    u32 messages = 0;
    for (const struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        messages += request->message != NULL;
    return messages;
}

bool timed_fits(const struct sm *sm)
{
    return timed_unserved(sm) <= sm->machine->dram_queue - 3;
}

static struct timed_request *add(struct sm *sm, const struct request *asked)
{
    struct timed_request *const request = oracle_allocate(1, sizeof *request), **last = &own_of(sm)->requests;
    *request = (struct timed_request){.request = *asked, .stage = SENT, .at = sm->now + sm->machine->dram_delay};
    dram_place(sm, asked->granule, &request->bank, &request->row);
    while (*last)
        last = &(*last)->next;
    *last = request;
    return request;
}

u32 timed_ask(struct sm *sm, const struct request *asked)
{
    struct timed_request *const request = add(sm, asked);
    request->ticket = asked->kind == LOAD ? ++own_of(sm)->tickets : NO_TICKET;
    return request->ticket;
}

void timed_send(struct sm *sm, enum request_kind kind, u32 granule, u32 bytes, struct message *message)
{
    add(sm, &(const struct request){.kind = kind, .granule = granule, .bytes = bytes})->message = message;
}

static void leave(struct sm *sm, struct timed_request *request)
{
    struct timed_request **place = &own_of(sm)->requests;
    while (*place != request)
        place = &(*place)->next;
    *place = request->next;
    free(request);
}

/* ---- Lines that come ---- */

static struct timed_request *next_line(const struct sm *sm)
{
    struct timed_request *next = NULL;
    for (struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        if (request->stage == COMING && request->at <= sm->now && (!next || request->column < next->column))
            next = request;
    return next;
}

void timed_lines(struct sm *sm)
{
    struct timed_request *request;
    while ((request = next_line(sm)) != NULL) {
        const struct timed_request line = *request;
        leave(sm, request);
        if (line.request.from)
            line.request.from->rules->arrives(sm, line.request.from, line.ticket);
        else
            l2_line_comes(sm, line.request.granule, line.message);
    }
}

/* ---- Entering ---- */

static bool window_is_full(const struct sm *sm)
{
    u32 waiting = 0;
    for (const struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        waiting += request->stage == ENTERED || request->stage == PICKED;
    return sm->machine->dram_window > 0 && waiting >= sm->machine->dram_window;
}

static void enter(struct sm *sm)
{
    struct timed_request *request = own_of(sm)->requests;
    while (request && request->stage != SENT)
        request = request->next;
    if (request && request->at <= sm->now && !window_is_full(sm))
        request->stage = ENTERED;
}

/* ---- Picks ---- */

static bool serves(const struct sm *sm, u32 bank)
{
    for (const struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        if (request->bank == bank && request->stage == PICKED)
            return true;
    return false;
}

static struct timed_request *first_of(const struct sm *sm, u32 bank, bool to_open_row)
{
    const struct timed_bank *const b = &own_of(sm)->banks[bank];
    for (struct timed_request *request = own_of(sm)->requests; request; request = request->next)
        if (request->bank == bank && request->stage == ENTERED && (!to_open_row || (b->open && b->row == request->row)))
            return request;
    return NULL;
}

static u64 later(u64 one, u64 other)
{
    return one > other ? one : other;
}

/* The cycle in which the bank's row is activated. */
static u64 activate(struct sm *sm, struct timed_bank *bank)
{
    struct timed *const own = own_of(sm);
    u64 at = sm->now;
    if (bank->open) {
        u64 closed = later(sm->now, bank->activation + cycles_of(sm, sm->machine->dram_t_ras));
        closed = later(closed, bank->column_ends);
        at = closed + cycles_of(sm, sm->machine->dram_t_rp);
    }
    if (own->activated)
        at = later(at, own->activation + cycles_of(sm, sm->machine->dram_t_rrd));
    if (bank->activated)
        at = later(at, bank->activation + cycles_of(sm, sm->machine->dram_t_rc));
    own->activated = bank->activated = true;
    own->activation = bank->activation = at;
    return at;
}

static void pick(struct sm *sm, struct timed_request *request)
{
    struct timed_bank *const bank = &own_of(sm)->banks[request->bank];
    const bool hit = bank->open && bank->row == request->row;
    count(sm, hit ? WS_COUNT_row_hits : WS_COUNT_row_conflicts, 1);
    request->at = hit ? sm->now : activate(sm, bank) + cycles_of(sm, sm->machine->dram_t_rcd);
    request->stage = PICKED;
    bank->open = true;
    bank->row = request->row;
}

static void pick_all(struct sm *sm)
{
    for (u32 bank = 0; bank < sm->machine->dram_banks; bank++) {
        struct timed_request *request = NULL;
        if (serves(sm, bank))
            continue;
        if (sm->machine->dram_scheduler == WS_dram_scheduler_frfcfs)
            request = first_of(sm, bank, true);
        if (!request)
            request = first_of(sm, bank, false);
        if (request)
            pick(sm, request);
    }
}

/* ---- The column ---- */

static u64 next_burst(struct sm *sm, u32 bytes)
{
    struct timed *const own = own_of(sm);
    own->remainder += (u64)bytes * sm->machine->core_clock;
    const u64 cycles = own->remainder / sm->machine->dram_bandwidth;
    own->remainder %= sm->machine->dram_bandwidth;
    return cycles;
}

static struct timed_request *next_column(const struct sm *sm)
{
    struct timed_request *next = NULL;
    for (struct timed_request *request = own_of(sm)->requests; request; request = request->next) {
        if (request->stage != PICKED || request->at > sm->now)
            continue;
        if (!next || request->at < next->at || (request->at == next->at && request->bank < next->bank))
            next = request;
    }
    return next;
}

static void column(struct sm *sm)
{
    struct timed *const own = own_of(sm);
    struct timed_request *const request = sm->now >= own->bus_free ? next_column(sm) : NULL;
    if (!request)
        return;
    const u64 burst = next_burst(sm, request->request.bytes);
    own->bus_free = own->banks[request->bank].column_ends = sm->now + burst;
    count(sm, WS_COUNT_dram_busy, burst);
    count(sm, request->request.kind == LOAD ? WS_COUNT_dram_reads : WS_COUNT_dram_writes, 1);
    count(sm, WS_COUNT_dram_bytes, request->request.bytes);
    request->stage = COMING;
    request->column = sm->now;
    request->at = sm->now + cycles_of(sm, sm->machine->dram_t_cl) + burst;
    if (request->request.kind == STORE)
        leave(sm, request);
}

void timed_cycle(struct sm *sm)
{
    enter(sm);
    pick_all(sm);
    column(sm);
}
