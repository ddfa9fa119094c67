/* `lpc`: the lowest pc, then the oldest (docs/model/schedulers.md; Rogers 6.3). */
#ifndef WS_SCHEDULE_LPC_H
#define WS_SCHEDULE_LPC_H

#include "schedule/ports.h"

static inline u32 lpc_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    return slots_least_of(&sm->lanes, slots_of_least(&sm->lanes, ready, lanes->pc), lanes->first);
}

#endif
