/* The levels: both caches are above the DRAM that the machine selects. */
#include "oracle/memory/memory.h"

#include "oracle/memory/levels.h"

extern const struct oracle_level oracle_level_data, oracle_level_code, oracle_level_dram, oracle_level_ddr;

void memory_start(struct sm *sm)
{
    sm->data = (struct level){.rules = &oracle_level_data, .below = &sm->dram};
    sm->code = (struct level){.rules = &oracle_level_code, .below = &sm->dram};
    sm->dram = (struct level){.rules = sm->machine->dram_timing == WS_dram_timing_ddr ? &oracle_level_ddr : &oracle_level_dram};
    sm->data.rules->start(sm, &sm->data);
    sm->code.rules->start(sm, &sm->code);
    sm->dram.rules->start(sm, &sm->dram);
}

void memory_finish(struct sm *sm)
{
    sm->data.rules->finish(&sm->data);
    sm->code.rules->finish(&sm->code);
    sm->dram.rules->finish(&sm->dram);
}

void memory_fill(struct sm *sm)
{
    sm->dram.rules->cycle(sm, &sm->dram);
}

u32 memory_reads(const struct sm *sm)
{
    return sm->data.rules->reads(&sm->data) + sm->code.rules->reads(&sm->code) + sm->dram.rules->reads(&sm->dram);
}

u32 memory_data_reads(const struct sm *sm)
{
    return sm->levels ? l1_reads(sm, L1_DATA) : sm->data.rules->reads(&sm->data);
}
