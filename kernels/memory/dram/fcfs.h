/* Banks that serve their requests in order of arrival, and the queue (docs/model.md 6). All of it runs in the first lane. */
#ifndef WS_MEMORY_DRAM_FCFS_H
#define WS_MEMORY_DRAM_FCFS_H

#include "memory/dram/bus.h"
#include "memory/dram/map.h"
#include "memory/mshr.h"

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
    tickets_clear(request);
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

/* A mark beside what the first lane tells all: the next cycles could want more requests than there is room for. */
#define QUEUE_CROWDED 0x80000000u

static inline u32 queue_crowded(PRIVATE const struct sm *sm)
{
    const u32 room = sm->plan->requests;
    return sm_memory(sm)->held + WS_REQUESTS_A_CYCLE > room && room < sm->machine->dram_queue ? QUEUE_CROWDED : 0;
}

/* Requests have been sent; where that is marked, the slice ends with this cycle, so that the host makes room. */
static inline void queue_sent(PRIVATE struct sm *sm, u32 marked)
{
    if (marked & QUEUE_CROWDED)
        sm->changed |= CHANGED_ROOM;
}

/* Starts reading a line; data reads hold an MSHR. */
static inline u32 dram_read(PRIVATE struct sm *sm, u32 line, u32 flags)
{
    const u32 index = dram_request(sm, line, flags);
    mshr_hold(sm, index);
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
    if (!(flags & WS_REQUEST_WRITE))
        mshr_free(sm, index);
    request->bank_next = (u16)((flags & ~(u32)WS_REQUEST_INDEX) | memory->unused);
    memory->unused = index;
    memory->held -= 1;
    return index;
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
