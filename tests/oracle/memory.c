/* Banks, bus and queue (section 6): a list of requests in order of arrival. */
#include "oracle/sm.h"

#include <stdlib.h>

static u32 line_bytes(const struct sm *sm, enum request_kind kind)
{
    return kind == READ_CODE ? sm->machine->icache_line : sm->machine->l1_line;
}

static u32 scramble(u32 x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    x ^= x >> 16;
    return x;
}

static u32 xor_of_groups(u32 row, u32 banks)
{
    u32 bank = 0;
    for (; banks > 1 && row; row /= banks)
        bank ^= row % banks;
    return bank;
}

static void place(const struct sm *sm, u32 granule, u32 *bank, u32 *row)
{
    const struct ws_machine *m = sm->machine;
    const u32 n = granule / (m->l1_line / WS_GRANULE_BYTES);
    *row = granule / (m->dram_row_bytes / WS_GRANULE_BYTES);
    switch (m->dram_mapping) {
    case WS_mapping_hash:
        *bank = xor_of_groups(*row, m->dram_banks);
        break;
    case WS_mapping_plain:
        *bank = *row % m->dram_banks;
        break;
    case WS_mapping_line:
        *bank = n % m->dram_banks;
        *row = n / m->dram_banks / (m->dram_row_bytes / m->l1_line);
        break;
    default:
        *bank = scramble(*row + m->dram_seed * 0x9E3779B9u) % m->dram_banks;
    }
}

/* When the bank has the data of a request that arrives now. */
static u64 serve(struct sm *sm, u32 number, u32 row, u32 bytes)
{
    const struct ws_machine *m = sm->machine;
    struct bank *bank = &sm->banks[number];
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

struct request *memory_send(struct sm *sm, enum request_kind kind, u32 line)
{
    struct request *request = oracle_allocate(1, sizeof *request);
    u32 row;
    request->kind = kind;
    request->line = line;
    request->bytes = line_bytes(sm, kind);
    place(sm, line * (request->bytes / WS_GRANULE_BYTES), &request->bank, &row);
    request->ready = serve(sm, request->bank, row, request->bytes);
    count(sm, kind == WRITE_DATA ? WS_COUNT_dram_writes : WS_COUNT_dram_reads, 1);
    count(sm, WS_COUNT_dram_bytes, request->bytes);
    struct request **last = &sm->requests;
    while (*last)
        last = &(*last)->next;
    *last = request;
    return request;
}

u32 memory_room(const struct sm *sm)
{
    u32 held = 0;
    for (const struct request *request = sm->requests; request; request = request->next)
        held++;
    return sm->machine->dram_queue - held;
}

struct request *memory_reading(const struct sm *sm, enum request_kind kind, u32 line)
{
    for (struct request *request = sm->requests; request; request = request->next)
        if (request->kind == kind && request->line == line)
            return request;
    return NULL;
}

u32 memory_reads_of_data(const struct sm *sm)
{
    u32 reads = 0;
    for (const struct request *request = sm->requests; request; request = request->next)
        reads += request->kind == READ_DATA;
    return reads;
}

static void data_arrived(struct sm *sm, const struct request *request)
{
    u32 victim;
    if (cache_fill(&sm->data, request->line, request->dirty, &victim)) {
        count(sm, WS_COUNT_l1_writebacks, 1);
        memory_send(sm, WRITE_DATA, victim);
    }
    for (struct unit *unit = sm->units; unit; unit = unit->next)
        for (u32 i = 0; i < unit->wait_count; i++)
            if (unit->waits[i] == request->line) {
                unit->waits[i] = unit->waits[--unit->wait_count];
                break;
            }
}

static void code_arrived(struct sm *sm, const struct request *request)
{
    u32 victim;
    cache_fill(&sm->code, request->line, false, &victim);
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (sm->warps[slot].waits_instruction && sm->warps[slot].code_line == request->line)
            sm->warps[slot].waits_instruction = false;
}

static void end_burst(struct sm *sm)
{
    struct request **place_in_list = &sm->requests;
    while (*place_in_list != sm->burst)
        place_in_list = &(*place_in_list)->next;
    struct request *request = sm->burst;
    *place_in_list = request->next;
    sm->burst = NULL;
    count(sm, WS_COUNT_dram_busy, sm->burst_cycles);
    if (request->kind == READ_DATA)
        data_arrived(sm, request);
    if (request->kind == READ_CODE)
        code_arrived(sm, request);
    free(request);
}

/* The next burst: by ready, then bank, then arrival. */
static struct request *first_ready(const struct sm *sm)
{
    struct request *first = NULL;
    for (struct request *request = sm->requests; request; request = request->next) {
        if (request->ready > sm->now)
            continue;
        if (!first || request->ready < first->ready || (request->ready == first->ready && request->bank < first->bank))
            first = request;
    }
    return first;
}

static void start_burst(struct sm *sm, struct request *request)
{
    sm->remainder += (u64)request->bytes * sm->machine->core_clock;
    sm->burst = request;
    sm->burst_cycles = sm->remainder / sm->machine->dram_bandwidth;
    sm->burst_ends = sm->now + sm->burst_cycles;
    sm->remainder %= sm->machine->dram_bandwidth;
}

void memory_fill(struct sm *sm)
{
    for (;;) {
        if (sm->burst && sm->burst_ends == sm->now)
            end_burst(sm);
        struct request *next = sm->burst ? NULL : first_ready(sm);
        if (!next)
            return;
        start_burst(sm, next);
        if (sm->burst_cycles > 0)
            return;
    }
}
