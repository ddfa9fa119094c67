/* `lpc`: the lowest pc, then the oldest (docs/model.md 7; Rogers 6.3). */
#ifndef WS_SCHEDULE_LPC_H
#define WS_SCHEDULE_LPC_H

#include "schedule/ports.h"

static inline u32 lpc_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    PER_SLOT(u32, lowest);
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, slots_least_of(&sm->lanes, ready, lanes->pc));
    FOR_SLOTS (slot)
        lowest[AT(slot)] = slots_has(ready, slot) && lanes->pc[AT(slot)] == pc;
    return slots_least_of(&sm->lanes, slots_ballot(&sm->lanes, lowest), lanes->first);
}

static inline u32 lpc_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
    return 0;
}

#endif
