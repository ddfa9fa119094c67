/* `cggty`: greedy then youngest (docs/model/schedulers.md; Huerta et al., MICRO 2025). */
#ifndef WS_SCHEDULE_CGGTY_H
#define WS_SCHEDULE_CGGTY_H

#include "schedule/ports.h"

/* The slot of a set (not empty) whose warp entered last: higher first thread = younger warp. */
static inline u32 slots_youngest(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set set)
{
#ifdef WS_LANES_LOOP
    u32 youngest = slots_first(set);
    for (set = slots_rest(set); slots_any(set); set = slots_rest(set))
        youngest = lanes->first[slots_first(set)] > lanes->first[youngest] ? slots_first(set) : youngest;
    return youngest;
#else
    PER_SLOT(u32, age);
    FOR_SLOTS (slot)
        age[AT(slot)] = ~lanes->first[AT(slot)];
    return slots_least_of(&sm->lanes, set, age);
#endif
}

static inline u32 cggty_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    const u32 greedy = port_value(sm->cggty_greedy, AT_PORT(sm));
    const u32 last = greedy == WS_NEVER ? slots_last(slots_and(port_slots(sm), slots_below(MACHINE(sm, core_warps)))) : greedy;
    return slots_has(ready, last) ? last : slots_youngest(sm, lanes, ready);
}

static inline void cggty_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    if (issued->issues)
        port_put(sm->cggty_greedy, AT_PORT(sm), issued->slot);
}

#endif
