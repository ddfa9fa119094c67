/* Pipeline `scoreboard`: its interface. */
#ifndef WS_PIPELINE_SCOREBOARD_SCOREBOARD_H
#define WS_PIPELINE_SCOREBOARD_SCOREBOARD_H

#include "pipeline/parts/buffered.h"
#include "pipeline/parts/writeback.h"
#include "pipeline/scoreboard/cycle.h"
#if defined(WS_RECORDS)
#include "pipeline/parts/ldst_predecoded.h"
#else
#include "pipeline/parts/ldst_streams.h"
#endif

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
    warp_opens(sm, lanes, warp);
}

static inline void pipeline_open(PRIVATE struct sm *sm)
{
    levels_open(sm);
    units_open(sm);
}

#endif
