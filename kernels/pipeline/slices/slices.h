/* Pipeline `slices`: its interface. */
#ifndef WS_PIPELINE_SLICES_SLICES_H
#define WS_PIPELINE_SLICES_SLICES_H

#include "pipeline/parts/buffered.h"
#include "pipeline/parts/writeback.h"
#include "pipeline/parts/ldst_streams.h"
#include "pipeline/slices/cycle.h"

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
    if (slot_is(warp))
        loads_open(sm, warp);
    warp_opens(sm, lanes, warp);
}

static inline void pipeline_open(PRIVATE struct sm *sm)
{
    levels_open(sm);
    units_open(sm);
    mark_reconvergence_pcs(sm);
}

#endif
