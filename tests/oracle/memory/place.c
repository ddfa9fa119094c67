/* Position of a line in DRAM (memory.md). */
#include "oracle/memory/levels.h"

u32 dram_scramble(u32 x)
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

void dram_place(const struct sm *sm, u32 granule, u32 *bank, u32 *row)
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
        *bank = dram_scramble(*row + m->dram_seed * 0x9E3779B9u) % m->dram_banks;
    }
}
