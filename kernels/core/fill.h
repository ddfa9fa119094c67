/* Bursts that end in this cycle (docs/model.md 2, step fill). */
#ifndef WS_CORE_FILL_H
#define WS_CORE_FILL_H

#include "memory/dram.h"

/* Warps in the mask have their instruction line; defined by the divergence unit. */
static inline void unit_code_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warps);

/* Who waits for a data line has it (waiters: as in ws_request); defined by the divergence unit. */
static inline void unit_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters);

/* Bursts of writes that end before a cycle and leave less room in the queue than is wanted: nothing else comes of them. */
static inline void drain_writes(PRIVATE struct sm *sm, u32 before)
{
    if (sm->fill_at >= before)
        return;
    u32 fill_at = sm->fill_at;
    if (lane_first()) {
        while (fill_at < before && bus_writes(sm) && sm->machine->dram_queue - sm_memory(sm)->held + 1 < sm->wanted) {
            dram_retire(sm, fill_at);
            fill_at = bus_next(sm);
        }
    }
    sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
}

static inline void fill(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    while (sm->fill_at <= sm->now) {
        readmit(sm);
        u32 flags = 0, waiters = 0, fill_at = 0;
        if (lane_first()) {
            const u32 index = dram_retire(sm, sm->fill_at);
            flags = sm_request(sm, index)->bank_next;
            waiters = sm_request(sm, index)->waiters;
            if (!(flags & WS_REQUEST_WRITE))
                dram_fill(sm, index);
            fill_at = bus_next(sm);
        }
        flags = lanes_from_first(&sm->lanes, flags);
        waiters = lanes_from_first(&sm->lanes, waiters);
        sm->fill_at = lanes_from_first(&sm->lanes, fill_at);
        if (flags & WS_REQUEST_WRITE)
            continue;
        if (flags & WS_REQUEST_CODE) {
            sm->code_missing &= ~waiters;
            unit_code_arrives(sm, lanes, waiters);
        } else {
            unit_data_arrives(sm, lanes, waiters);
        }
    }
}

#endif
