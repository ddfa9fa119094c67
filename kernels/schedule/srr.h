/* `srr`: sticky round robin, one warp for as long as it does not wait (docs/model.md 7; Narasiman 5.1). */
#ifndef WS_SCHEDULE_SRR_H
#define WS_SCHEDULE_SRR_H

#include "core/sm.h"

static inline u32 srr_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    (void)lanes;
    return next_in_turn(selectable, sm->sticky);
}

static inline void srr_chosen(PRIVATE const struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    (void)sm;
    (void)lanes;
    (void)warp;
}

static inline void srr_rotate(PRIVATE struct sm *sm, u32 awaiting)
{
    const u32 going = sm->live & ~awaiting;
    if (going != 0)
        sm->sticky = next_in_turn(going, sm->sticky);
}

static inline void srr_issued(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 begins)
{
    (void)sm;
    (void)warp;
    (void)threads;
    (void)begins;
}

/* A warp that has left the pipeline goes again, and so does one between the pointer and the chosen one. */
static inline u32 srr_round(PRIVATE const struct sm *sm, u32 warp, u32 awaiting, PRIVATE struct round *round)
{
    const u32 below = ws_bits_below(warp), from = ~ws_bits_below(sm->sticky);
    (void)awaiting;
    round->slots = 0xFFFFFFFFu;
    round->before = sm->sticky <= warp ? below & from : below | from;
    round->by_count = 0;
    round->most = sm->machine->core_depth;
    return 1;
}

#endif
