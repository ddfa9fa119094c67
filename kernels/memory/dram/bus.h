/* The bus transfers the bursts of all banks one at a time, in order of their ready times (docs/model/memory.md). First lane
 * only. */
#ifndef WS_MEMORY_DRAM_BUS_H
#define WS_MEMORY_DRAM_BUS_H

#include "memory/dram/pool.h"

/* Cycles of the next burst on the bus; with advance, moves the accumulator. */
static inline u32 bus_cycles(PRIVATE const struct sm *sm, u32 code, u32 advance)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    const u32 divisor = PLAN(sm, bus_divisor);
    const u32 sum = memory->bus_remainder + (code ? PLAN(sm, code_bus) : PLAN(sm, bus));
    const u32 cycles = divisor == 1 ? sum : sum / divisor;
    if (advance)
        memory->bus_remainder = sum - cycles * divisor;
    return cycles;
}

/* Chooses the bank whose first request gets the bus next: the earliest ready, then the lowest. */
static inline void bus_choose(PRIVATE const struct sm *sm)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    u32 ready = WS_NEVER, first = 0;
    for (u32 bank = 0; bank < MACHINE(sm, dram_banks); ++bank) {
        const u32 earlier = memory->banks[bank].head_ready < ready;
        ready = earlier ? memory->banks[bank].head_ready : ready;
        first = earlier ? bank : first;
    }
    memory->next_bank = first;
}

/* A bank has received its first request, which may be the next on the bus. */
static inline void bus_consider(PRIVATE const struct sm *sm, u32 bank)
{
    GLOBAL struct ws_memory *memory = sm_memory(sm);
    const u32 ready = memory->banks[bank].head_ready, next = memory->banks[memory->next_bank].head_ready;
    if (ready < next || (ready == next && bank < memory->next_bank))
        memory->next_bank = bank;
}

/* Cycle in which the next burst ends. */
static inline u32 bus_next(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_memory *memory = sm_memory(sm);
    GLOBAL const struct ws_bank *bank = &memory->banks[memory->next_bank];
    if (bank->head_ready == WS_NEVER)
        return WS_NEVER;
    const u32 code = request_flags(sm, bank->head) & WS_REQUEST_CODE;
    return ws_max(bank->head_ready, memory->bus_free) + bus_cycles(sm, code, 0);
}

/* Whether the next burst is a write. */
static inline u32 bus_writes(PRIVATE const struct sm *sm)
{
    return request_flags(sm, sm_memory(sm)->banks[sm_memory(sm)->next_bank].head) & WS_REQUEST_WRITE;
}

#endif
