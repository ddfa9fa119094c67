/* Banks, rows, the bus and the lines in flight (docs/model.md 6). All of it runs in the first lane. */
#ifndef WS_MEMORY_DRAM_H
#define WS_MEMORY_DRAM_H

#include "memory/cache.h"

/* Mixes a row number for the random mapping. */
static inline u32 row_hash(u32 x)
{
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ (x >> 16);
}

/* Bank of a line; *row receives its row. */
static inline u32 dram_bank(PRIVATE const struct sm *sm, u32 line, PRIVATE u32 *row)
{
    const u32 bits = sm->plan->bank_bits;
    const u32 mapping = sm->machine->dram_mapping;
    *row = line >> sm->plan->row_shift;
    if (mapping == WS_mapping_line) {
        const u32 number = line >> sm->plan->line_shift;
        *row = number >> bits >> sm->plan->lines_per_row_shift;
        return number & ws_bits_below(bits);
    }
    if (mapping == WS_mapping_random)
        return row_hash(*row + sm->machine->dram_seed * 0x9E3779B9u) & ws_bits_below(bits);
    u32 bank = *row;
    if (mapping == WS_mapping_hash && bits > 0)
        for (u32 rest = *row >> bits; rest > 0; rest >>= bits)
            bank ^= rest;
    return bank & ws_bits_below(bits);
}

/* Cycles of the next burst on the bus; with advance, moves the accumulator. */
static inline u32 bus_cycles(PRIVATE const struct sm *sm, u32 code, u32 advance)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    const u32 divisor = sm->plan->bus_divisor;
    const u32 sum = memory->bus_remainder + (code ? sm->plan->code_bus : sm->plan->bus);
    const u32 cycles = divisor == 1 ? sum : sum / divisor;
    if (advance)
        memory->bus_remainder = sum - cycles * divisor;
    return cycles;
}

/* Chooses the bank whose first request has the bus next: the earliest ready, then the lowest. */
static inline void bus_choose(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    u32 ready = WS_NEVER, first = 0;
    for (u32 bank = 0; bank < sm->machine->dram_banks; ++bank) {
        const u32 earlier = memory->banks[bank].head_ready < ready;
        ready = earlier ? memory->banks[bank].head_ready : ready;
        first = earlier ? bank : first;
    }
    memory->next_bank = first;
}

/* A bank has got its first request: it may be the next on the bus. */
static inline void bus_consider(PRIVATE const struct sm *sm, u32 bank)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    const u32 ready = memory->banks[bank].head_ready, next = memory->banks[memory->next_bank].head_ready;
    if (ready < next || (ready == next && bank < memory->next_bank))
        memory->next_bank = bank;
}

/* When the burst ends that has the bus next. */
static inline u32 bus_next(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_memory *memory = sm_memory(sm);
    GLOBAL const struct ws_bank *bank = &memory->banks[memory->next_bank];
    if (bank->head_ready == WS_NEVER)
        return WS_NEVER;
    const u32 code = sm_request(sm, bank->head)->bank_next & WS_REQUEST_CODE;
    return ws_max(bank->head_ready, memory->bus_free) + bus_cycles(sm, code, 0);
}

/* Whether the request that has the bus next is a write. */
static inline u32 bus_writes(PRIVATE const struct sm *sm)
{
    return sm_request(sm, sm_memory(sm)->banks[sm_memory(sm)->next_bank].head)->bank_next & WS_REQUEST_WRITE;
}

/* A free request; the caller has made sure that there is one. */
static inline u32 request_take(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    const u32 index = memory->unused;
    memory->held += 1;
    if (index == 0)
        return ++memory->fresh;
    memory->unused = sm_request(sm, index)->bank_next & WS_REQUEST_INDEX;
    return index;
}

/* Queues a line at its bank now and counts it; returns the request's index. sm->fill_at is to follow bus_next. */
static inline u32 dram_request(PRIVATE struct sm *sm, u32 line, u32 flags)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    GLOBAL const struct ws_machine *machine = sm->machine;
    const u32 code = flags & WS_REQUEST_CODE;
    u32 row;
    const u32 number = dram_bank(sm, line, &row);
    GLOBAL struct ws_bank *bank = &memory->banks[number];
    const u32 start = ws_max(sm->now, bank->free_at);
    const u32 hit = bank->row == row + 1;
    const u32 latency = hit ? machine->dram_row_hit : machine->dram_row_conflict;
    bank->free_at = start + (latency > machine->dram_row_hit ? latency - machine->dram_row_hit : 0) +
                    (code ? sm->plan->code_burst : sm->plan->burst);
    bank->row = row + 1;
    bank->last_ready = ws_max(start + latency, bank->last_ready);

    const u32 index = request_take(sm);
    GLOBAL struct ws_request *request = sm_request(sm, index);
    request->line = line;
    request->ready = bank->last_ready;
    request->waiters = 0;
    request->bank_next = (u16)flags;
    if (bank->head_ready == WS_NEVER) {
        bank->head = (u16)index;
        bank->head_ready = request->ready;
        bus_consider(sm, number);
    } else {
        sm_request(sm, bank->tail)->bank_next |= (u16)index;
    }
    bank->tail = (u16)index;

    count(sm, WS_COUNT_row_hits, hit);
    count(sm, flags & WS_REQUEST_WRITE ? WS_COUNT_dram_writes : WS_COUNT_dram_reads, 1);
    return index;
}

/* Chain of the reads in flight that a line belongs to. */
static inline GLOBAL u16 *request_bucket(PRIVATE const struct sm *sm, u32 line)
{
    return sm_buckets(sm) + (line >> sm->plan->line_shift) * 0x9E3779B1u / (0xFFFFFFFFu / WS_BUCKETS + 1);
}

/* The read in flight for a line, or 0. */
static inline u32 request_find(PRIVATE const struct sm *sm, u32 line)
{
    u32 index = *request_bucket(sm, line);
    while (index != 0 && sm_request(sm, index)->line != line)
        index = sm_request(sm, index)->bucket_next;
    return index;
}

/* Starts reading a line; data reads hold an MSHR. */
static inline u32 dram_read(PRIVATE struct sm *sm, u32 line, u32 flags)
{
    const u32 index = dram_request(sm, line, flags);
    GLOBAL u16 *bucket = request_bucket(sm, line);
    sm_request(sm, index)->bucket_next = *bucket;
    *bucket = (u16)index;
    if (!(flags & WS_REQUEST_CODE)) {
        sm_memory(sm)->mshrs += 1;
        count_most(sm, WS_COUNT_mshrs_most, sm_memory(sm)->mshrs);
    }
    return index;
}

/* Takes the request whose burst ends in a cycle off its bank and the chains and makes it free; it can be read until the next is
 * taken. */
static inline u32 dram_retire(PRIVATE struct sm *sm, u32 end)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    GLOBAL struct ws_bank *bank = &memory->banks[memory->next_bank];
    const u32 index = bank->head;
    GLOBAL struct ws_request *request = sm_request(sm, index);
    const u32 flags = request->bank_next;
    const u32 next = flags & WS_REQUEST_INDEX;
    bank->head = (u16)next;
    bank->head_ready = next ? sm_request(sm, next)->ready : WS_NEVER;
    memory->bus_free = end;
    count(sm, WS_COUNT_dram_busy, bus_cycles(sm, flags & WS_REQUEST_CODE, 1));
    bus_choose(sm);
    if (!(flags & WS_REQUEST_WRITE)) {
        GLOBAL u16 *link = request_bucket(sm, request->line);
        while (*link != index)
            link = &sm_request(sm, *link)->bucket_next;
        *link = request->bucket_next;
        memory->mshrs -= flags & WS_REQUEST_CODE ? 0 : 1;
    }
    request->bank_next = (u16)((flags & ~(u32)WS_REQUEST_INDEX) | memory->unused);
    memory->unused = index;
    memory->held -= 1;
    return index;
}

/* Puts the line of a retired read into its cache; a dirty victim is written back. */
static inline void dram_fill(PRIVATE struct sm *sm, u32 index)
{
    const u32 line = sm_request(sm, index)->line;
    const u32 flags = sm_request(sm, index)->bank_next;
    if (flags & WS_REQUEST_CODE) {
        cache_fill(icache_set(sm, line), sm->machine->icache_ways, line, 0);
        return;
    }
    const u32 victim = cache_fill(l1_set(sm, line), sm->machine->l1_ways, line, flags & WS_REQUEST_DIRTY);
    if (victim & WS_TAG_DIRTY) {
        count(sm, WS_COUNT_l1_writebacks, 1);
        dram_request(sm, victim >> 2, WS_REQUEST_WRITE);
    }
}

/* The cycles of requests and banks, at the end of a slice. */
static inline void dram_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    memory->bus_free -= ws_min(memory->bus_free, elapsed);
    for (u32 n = 0; n < sm->machine->dram_banks; ++n) {
        GLOBAL struct ws_bank *bank = &memory->banks[n];
        bank->free_at -= ws_min(bank->free_at, elapsed);
        bank->last_ready -= ws_min(bank->last_ready, elapsed);
        if (bank->head_ready != WS_NEVER)
            bank->head_ready -= ws_min(bank->head_ready, elapsed);
    }
    for (u32 index = 1; index <= memory->fresh; ++index)
        sm_request(sm, index)->ready -= ws_min(sm_request(sm, index)->ready, elapsed);
}

#endif
