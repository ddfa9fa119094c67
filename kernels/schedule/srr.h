/* `srr`: sticky round robin, one warp for as long as it does not wait (docs/model/schedulers.md; Narasiman 5.1). */
#ifndef WS_SCHEDULE_SRR_H
#define WS_SCHEDULE_SRR_H

#include "schedule/ports.h"

static inline u32 srr_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    return slots_next(ready, port_value(sm->sticky, AT_PORT(sm)));
}

static inline void srr_rotate(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set awaiting)
{
    const slot_set going = slots_and(slots_minus(sm->live, awaiting), port_slots(sm));
    if (slots_any(going))
        port_put(sm->sticky, AT_PORT(sm), slots_next(going, port_value(sm->sticky, AT_PORT(sm))));
}

/* The warp continues when it has left the pipeline, and so does one between the pointer and the chosen one. */
static inline u32 srr_round(PRIVATE const struct sm *sm, u32 warp, slot_set awaiting, PRIVATE struct round *round)
{
    const slot_set below = slots_below(warp), passed = slots_below(port_value(sm->sticky, AT_PORT(sm)));
    const slot_set from = slots_minus(slots_below(WS_SLOTS), passed);
    round->slots = slots_below(WS_SLOTS);
    round->before = port_value(sm->sticky, AT_PORT(sm)) <= warp ? slots_and(below, from) : slots_or(below, from);
    round->by_count = 0;
    round->most = MACHINE(sm, core_depth);
    return 1;
}

#endif
