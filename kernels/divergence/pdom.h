/* `pdom`: a stack of reconvergence points for every warp (docs/model.md 3; Narasiman 2.3, Fung 3.2). */
#ifndef WS_DIVERGENCE_PDOM_H
#define WS_DIVERGENCE_PDOM_H

#include "divergence/narrow.h"

static inline void unit_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle);
}

static inline void unit_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters)
{
    FOR_LANES (lane)
        if (last_line_arrives(sm, lanes, waiters, lane))
            pdom_settle(sm, lanes, lane);
}

/* Barrier instructions and ends of warps that complete in this cycle, then barriers that let go. */
static inline void unit_complete(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->entering = 0;
    if (sm->now < sm->event_at)
        return;
    for (u32 warps = events_due(sm, lanes); warps != 0; warps &= warps - 1)
        warp_ends(sm, lanes, ws_ctz(warps));
    const u32 released = release_barriers(sm, lanes);
    FOR_LANES (lane)
        if (released >> lane & 1)
            lanes->ready_at[OF(lane)] = sm->now;
    sm->event_at = lanes_least(&sm->lanes, lanes->warp_event_at);
}

static inline u32 unit_awaiting(PRIVATE const struct sm *sm, u32 selectable)
{
    (void)selectable;
    return sm->data_missing | sm->code_missing | sm->at_barrier;
}

static inline u32 unit_resting(PRIVATE const struct sm *sm)
{
    (void)sm;
    return 0;
}

static inline u32 unit_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return lanes_pick(&sm->lanes, lanes->mask, warp);
}

static inline u32 unit_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    (void)warp;
    return lanes->mask[OF(warp)];
}

static inline void unit_moves_on(PRIVATE struct sm *sm, u32 warps)
{
    (void)sm;
    (void)warps;
}

static inline u32 unit_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    (void)sm;
    (void)lanes;
    return warp;
}

static inline void unit_threads(PRIVATE const struct sm *sm, PRIVATE struct narrow_issue *issue, u32 mask)
{
    threads_of_row(sm, &issue->threads, mask, issue->warp * sm->machine->core_warp_size, issue->first);
}

static inline u32 unit_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct narrow_issue *issue)
{
    PER_LANE(u32, bits);
    const u32 warp = issue->warp, class_ = issue->instruction.class_;
    if (class_ == WS_CLASS_branch) {
        unit_threads(sm, issue, issue->mask);
        peek_decisions(sm, &issue->threads, bits);
        take(&issue->threads, sm_decisions(sm));
        pdom_branch(sm, lanes, warp, &issue->instruction, lanes_ballot(&sm->lanes, bits));
        return EVENT_NONE;
    }
    if (class_ == WS_CLASS_exit) {
        PER_LANE(u32, ends);
        FOR_LANES (lane)
            ends[OF(lane)] = 0;
        if (lane_is(warp))
            ends[OF(warp)] = pdom_exit(sm, lanes, warp);
        return lanes_pick(&sm->lanes, ends, warp) ? EVENT_ENDS : EVENT_NONE;
    }
    if (lane_is(warp)) {
        lanes->pc[OF(warp)] = pc_after(&issue->instruction, issue->pc);
        if (issue->access.misses == 0)
            pdom_settle(sm, lanes, warp);
    }
    return class_ == WS_CLASS_barrier ? EVENT_BARRIER : EVENT_NONE;
}

#endif
