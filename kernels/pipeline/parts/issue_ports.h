/* What becomes of the slots of several issue ports: sm->lost has all of them (pipeline/pipeline.h). A pipeline defines
 *   port_in_turn   the port whose turn is the nth in this cycle */
#ifndef WS_PIPELINE_PARTS_ISSUE_PORTS_H
#define WS_PIPELINE_PARTS_ISSUE_PORTS_H

#include "pipeline/pipeline.h"
#include "schedule/ports.h"

static inline u32 port_in_turn(PRIVATE const struct sm *sm, u32 n);

/* Counts the slots that ports lose in a run of cycles alike: 1 is SLOT_IDLE, 2 SLOT_SCOREBOARD, 3 SLOT_PIPELINE. */
static inline void count_slots(PRIVATE struct sm *sm, u32 lost, u32 cycles)
{
    const u32 ones = 0x11111111u & lost, twos = 0x11111111u & lost >> 1;
    count(sm, WS_COUNT_stall_idle, ws_popcount(ones & ~twos) * cycles);
    count(sm, WS_COUNT_stall_scoreboard, ws_popcount(twos & ~ones) * cycles);
    count(sm, WS_COUNT_stall_pipeline, ws_popcount(ones & twos) * cycles);
}

/* Makes counters of the slots that have been tallied. */
static inline void count_tallied_slots(PRIVATE struct sm *sm)
{
    for (u32 lost = 0; lost != TALLIED_SLOTS; ++lost)
        count_slots(sm, lost, tallied_slots(sm, lost));
}

/* The same of sm->lost. */
static inline void count_lost(PRIVATE struct sm *sm, u32 cycles)
{
    if (!tally_slots(sm, sm->lost, cycles))
        count_slots(sm, sm->lost, cycles);
    if (!records_lost(sm))
        return;
    for (u32 n = 0; n < WS_PORTS; ++n) {
        const u32 port = port_in_turn(sm, n), slot = sm->lost >> SLOT_BITS * port & ws_bits_below(SLOT_BITS);
        if (n < ports(sm) && slot != SLOT_ISSUED)
            record_lost(sm, cycles, slot, port);
    }
}

#endif
