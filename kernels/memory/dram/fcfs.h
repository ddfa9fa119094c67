/* Fixed-latency DRAM: banks serve their requests in order of arrival, with row_hit or row_conflict cycles (docs/model/memory.md,
 * dram.timing fixed). First lane only. */
#ifndef WS_MEMORY_DRAM_FCFS_H
#define WS_MEMORY_DRAM_FCFS_H

#include "memory/dram/bus.h"
#include "memory/dram/map.h"

/* Cycle in which a bank has the data of a line, which it serves next. */
static inline u32 fixed_serve(PRIVATE struct sm *sm, GLOBAL struct ws_bank *bank, u32 row, u32 flags)
{
    const u32 start = ws_max(sm->now, bank->free_at);
    const u32 hit = bank->row == row + 1;
    const u32 latency = hit ? MACHINE(sm, dram_row_hit) : MACHINE(sm, dram_row_conflict);
    bank->free_at = start + (latency > MACHINE(sm, dram_row_hit) ? latency - MACHINE(sm, dram_row_hit) : 0) +
                    (flags & WS_REQUEST_CODE ? PLAN(sm, code_burst) : PLAN(sm, burst));
    bank->row = row + 1;
    bank->last_ready = ws_max(start + latency, bank->last_ready);
    count(sm, WS_COUNT_row_hits, hit);
    count(sm, flags & WS_REQUEST_WRITE ? WS_COUNT_dram_writes : WS_COUNT_dram_reads, 1);
    return bank->last_ready;
}

/* Queues a request at its bank now and counts it. */
static inline void fixed_send(PRIVATE struct sm *sm, u32 index, u32 flags)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    GLOBAL struct ws_request *request = sm_request(sm, index);
    u32 row;
    const u32 number = dram_bank(sm, request->line, &row);
    GLOBAL struct ws_bank *bank = &memory->banks[number];
    request->ready = fixed_serve(sm, bank, row, flags);
    if (bank->head_ready == WS_NEVER) {
        bank->head = (u16)index;
        bank->head_ready = request->ready;
        bus_consider(sm, number);
    } else {
        sm_request(sm, bank->tail)->bank_next = (u16)index;
    }
    bank->tail = (u16)index;
}

/* Removes the request whose burst ends in a cycle from its bank. */
static inline u32 fixed_take(PRIVATE struct sm *sm, u32 end)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    GLOBAL struct ws_bank *bank = &memory->banks[memory->next_bank];
    const u32 index = bank->head, next = sm_request(sm, index)->bank_next;
    bank->head = (u16)next;
    bank->head_ready = next ? sm_request(sm, next)->ready : WS_NEVER;
    memory->bus_free = end;
    count(sm, WS_COUNT_dram_busy, bus_cycles(sm, request_flags(sm, index) & WS_REQUEST_CODE, 1));
    bus_choose(sm);
    return index;
}

/* Completes write bursts that end before a cycle while they do not free the room that a warp waits for: they have no other effect.
 * Returns the end of the next burst. */
static inline u32 fixed_drain(PRIVATE struct sm *sm, u32 before)
{
    u32 fill_at = sm->fill_at;
    while (fill_at < before && bus_writes(sm) && MACHINE(sm, dram_queue) - sm_memory(sm)->held + 1 < sm->wanted) {
        request_free(sm, fixed_take(sm, fill_at));
        fill_at = bus_next(sm);
    }
    return fill_at;
}

/* Before the first quantum: no burst waits. */
static inline void fixed_open(PRIVATE const struct sm *sm)
{
    for (u32 bank = 0; bank < WS_BANKS; ++bank)
        sm_memory(sm)->banks[bank].head_ready = WS_NEVER;
}

/* Rebases times of requests and banks at the end of a quantum. */
static inline void fixed_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    memory->bus_free -= ws_min(memory->bus_free, elapsed);
    for (u32 n = 0; n < MACHINE(sm, dram_banks); ++n) {
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
