/* Outcomes of the slots of several issue ports, packed into sm->slot_kinds (pipeline/pipeline.h). A pipeline defines
 *   port_in_turn   the n-th port in the order of this cycle */
#ifndef WS_PIPELINE_PARTS_ISSUE_PORTS_H
#define WS_PIPELINE_PARTS_ISSUE_PORTS_H

#include "pipeline/pipeline.h"
#include "schedule/ports.h"

static inline u32 port_in_turn(PRIVATE const struct sm *sm, u32 n);

/* Adds a run of cycles with these slot outcomes to the stall counters: 1 is SLOT_IDLE, 2 SLOT_SCOREBOARD, 3 SLOT_PIPELINE. */
static inline void count_slots(PRIVATE struct sm *sm, u32 kinds, u32 cycles)
{
    const u32 ones = 0x11111111u & kinds, twos = 0x11111111u & kinds >> 1;
    count(sm, WS_COUNT_stall_idle, ws_popcount(ones & ~twos) * cycles);
    count(sm, WS_COUNT_stall_scoreboard, ws_popcount(twos & ~ones) * cycles);
    count(sm, WS_COUNT_stall_pipeline, ws_popcount(ones & twos) * cycles);
}

/* Converts the tallies of slots into counters. */
static inline void count_tallied_slots(PRIVATE struct sm *sm)
{
    for (u32 kinds = 0; kinds != TALLIED_SLOTS; ++kinds)
        count_slots(sm, kinds, tallied_slots(sm, kinds));
}

/* Counts and records the stall slots of a run of cycles, from sm->slot_kinds. */
static inline void count_stalls(PRIVATE struct sm *sm, u32 cycles)
{
    if (!tally_slots(sm, sm->slot_kinds, cycles))
        count_slots(sm, sm->slot_kinds, cycles);
    if (!records_stalls(sm))
        return;
    for (u32 n = 0; n < WS_PORTS; ++n) {
        const u32 port = port_in_turn(sm, n), slot = sm->slot_kinds >> SLOT_BITS * port & ws_bits_below(SLOT_BITS);
        if (n < ports(sm) && slot != SLOT_ISSUED)
            record_stall(sm, cycles, slot, port);
    }
}

#endif
