#include "oracle/pipeline/lanes.h"

bool lanes_block(const struct sm *sm, const struct lanes *lanes)
{
    return sm->now < lanes->free || (sm->machine->memory_data_port == WS_data_port_select && sm->now < lanes->port_free);
}

/* Cycles for a packet to enter simd_width lanes: it has as many lanes as a warp has threads, at most 32. */
static u32 entry_cycles(const struct sm *sm)
{
    u32 cycles = 0;
    for (u32 lane = 0; lane < sm->machine->core_warp_size && lane < WS_LANES; lane += sm->machine->core_simd_width)
        cycles++;
    return cycles;
}

u64 lanes_enter(struct sm *sm, struct lanes *lanes, const struct passage *passage)
{
    const u32 entry = passage->entry > entry_cycles(sm) ? passage->entry : entry_cycles(sm);
    const u32 depth = sm->machine->core_depth + passage->stages;
    lanes->free = sm->now + entry;
    const u64 entered = lanes->free - 1 + depth;
    if (passage->port == 0)
        return entered;
    const u64 starts = sm->now > lanes->port_free ? sm->now : lanes->port_free;
    const u64 passed = starts + passage->port - 1 + depth + (passage->reads ? sm->machine->l1_latency : 0);
    lanes->port_free = starts + passage->port;
    count(sm, WS_COUNT_data_port_busy, passage->port);
    return passed > entered ? passed : entered;
}
