/* `gto`: greedy then oldest (docs/model/schedulers.md; Anantpur IV). */
#ifndef WS_SCHEDULE_GTO_H
#define WS_SCHEDULE_GTO_H

#include "schedule/ports.h"

/* Lower first thread = older warp. */
static inline u32 gto_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    const u32 greedy = port_value(sm->greedy, AT_PORT(sm)) == WS_NEVER ? AT_PORT(sm) : port_value(sm->greedy, AT_PORT(sm));
    if (slots_has(ready, greedy))
        return greedy;
    return slots_least_of(&sm->lanes, ready, lanes->first);
}

static inline void gto_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    if (issued->issues)
        port_put(sm->greedy, AT_PORT(sm), issued->slot);
}

#endif
