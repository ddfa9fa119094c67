/* Mapping of lines to banks and rows (docs/model/memory.md). */
#ifndef WS_MEMORY_DRAM_MAP_H
#define WS_MEMORY_DRAM_MAP_H

#include "memory/hash.h"

/* Bank of a line; *row receives its row. */
static inline u32 dram_bank(PRIVATE const struct sm *sm, u32 line, PRIVATE u32 *row)
{
    const u32 bits = PLAN(sm, bank_bits);
    const u32 mapping = MACHINE(sm, dram_mapping);
    *row = line >> PLAN(sm, row_shift);
    if (mapping == WS_mapping_line) {
        const u32 number = line >> PLAN(sm, line_shift);
        *row = number >> bits >> PLAN(sm, lines_per_row_shift);
        return number & ws_bits_below(bits);
    }
    if (mapping == WS_mapping_random)
        return scramble(*row + MACHINE(sm, dram_seed) * 0x9E3779B9u) & ws_bits_below(bits);
    u32 bank = *row;
    if (mapping == WS_mapping_hash && bits > 0)
        for (u32 rest = *row >> bits; rest > 0; rest >>= bits)
            bank ^= rest;
    return bank & ws_bits_below(bits);
}

#endif
