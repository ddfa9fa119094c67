/* `tbc`: thread block compaction (docs/model.md 4.1; Narasiman 5). The stack of a compaction block is the stacks of its static
 * warps, moved together: each slot's lane holds the masks of its static warp's threads. */
#ifndef WS_DIVERGENCE_TBC_H
#define WS_DIVERGENCE_TBC_H

#include "divergence/tbc_block.h"

static inline void unit_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle);
    sm->compacted &= ~ws_bit(warp);
    if (lane_is(warp)) {
        lanes->threads[OF(warp)] = lanes->mask[OF(warp)];
        lanes->taken[OF(warp)] = 0;
        lanes->block_mates[OF(warp)] = slots_together(sm, warp, lanes->first[OF(warp)]);
    }
}

/* The warp is to wait when its instruction completes, if that takes it to its reconvergence point. */
static inline void unit_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 waiters)
{
    FOR_LANES (lane)
        if (last_line_arrives(sm, lanes, waiters, lane) && lanes->pc[OF(lane)] == lanes->meets[OF(lane)])
            warp_meets(lanes, lane, lanes->ready_at[OF(lane)]);
    sm->event_at = lanes_least(&sm->lanes, lanes->warp_event_at);
}

/* Barriers that let go. A warp that is then at its reconvergence point waits from the next cycle on. */
static inline void tbc_release(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_LANE(u32, meets);
    const u32 released = release_barriers(sm, lanes);
    FOR_LANES (lane) {
        meets[OF(lane)] = released >> lane & 1 && lanes->pc[OF(lane)] == lanes->meets[OF(lane)];
        if (released >> lane & 1)
            lanes->ready_at[OF(lane)] = sm->now;
        if (meets[OF(lane)])
            warp_meets(lanes, lane, sm->now + 1);
    }
    sm->starting |= lanes_ballot(&sm->lanes, meets);
}

static inline void unit_complete(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->entering = 0;
    if (sm->now < sm->event_at)
        return;
    const u32 arrived = events_due(sm, lanes);
    sm->waiting |= arrived;
    sm->data_missing &= ~arrived;
    for (u32 warps = arrived; warps != 0;) {
        const u32 mates = lanes_pick(&sm->lanes, lanes->block_mates, ws_ctz(warps));
        if ((sm->live & mates & ~sm->waiting) == 0)
            tbc_advance(sm, lanes, ws_ctz(warps), mates);
        warps &= ~mates;
    }
    tbc_release(sm, lanes);
    sm->event_at = lanes_least(&sm->lanes, lanes->warp_event_at);
}

static inline u32 unit_awaiting(PRIVATE const struct sm *sm, u32 selectable)
{
    (void)selectable;
    return sm->data_missing | sm->code_missing | sm->at_barrier | sm->waiting;
}

static inline u32 unit_resting(PRIVATE const struct sm *sm)
{
    return sm->waiting | sm->starting;
}

static inline u32 unit_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return lanes_pick(&sm->lanes, lanes->threads, warp);
}

static inline u32 unit_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    (void)warp;
    return lanes->threads[OF(warp)];
}

static inline void unit_moves_on(PRIVATE struct sm *sm, u32 warps)
{
    sm->starting &= ~warps;
}

static inline u32 unit_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return sm->compacted >> warp & 1 ? ws_ctz(lanes_pick(&sm->lanes, lanes->block_mates, warp)) : warp;
}

static inline void unit_threads(PRIVATE const struct sm *sm, PRIVATE struct narrow_issue *issue, u32 mask)
{
    const u32 size = sm->machine->core_warp_size;
    threads_of_row(sm, &issue->threads, mask, issue->home * size, issue->first);
    if (!(sm->compacted >> issue->warp & 1))
        return;
    issue->threads.row = 0;
    FOR_LANES (lane) {
        const u32 offset = *row_of_thread(sm, issue->warp, lane) * size;
        issue->threads.slot[OF(lane)] += offset;
        issue->threads.thread[OF(lane)] += offset;
    }
}

static inline u32 unit_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct narrow_issue *issue)
{
    PER_LANE(u32, bits);
    const u32 warp = issue->warp, class_ = issue->instruction.class_;
    sm->starting &= ~ws_bit(warp);
    if (class_ == WS_CLASS_branch) {
        unit_threads(sm, issue, issue->mask);
        peek_decisions(sm, &issue->threads, bits);
        take(&issue->threads, sm_decisions(sm));
        tbc_outcomes(sm, lanes, warp, bits);
        return EVENT_BRANCH;
    }
    if (class_ == WS_CLASS_exit)
        return EVENT_EXIT;
    const u32 pc = pc_after(&issue->instruction, issue->pc);
    if (lane_is(warp))
        lanes->pc[OF(warp)] = pc;
    if (class_ == WS_CLASS_barrier)
        return EVENT_BARRIER;
    return issue->access.misses == 0 && pc == lanes_pick(&sm->lanes, lanes->meets, warp) ? EVENT_MEETS : EVENT_NONE;
}

#endif
