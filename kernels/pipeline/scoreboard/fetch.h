/* The fetch unit: core.fetches warps a cycle (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_SCOREBOARD_FETCH_H
#define WS_PIPELINE_SCOREBOARD_FETCH_H

#include "pipeline/parts/buffer.h"

/* The instruction line that a warp waits for has arrived. */
static inline void code_arrives(PRIVATE struct sm *sm, u32 slot)
{
    sm->asleep = slots_without(sm->asleep, slot);
    sm->needs_fetch = slots_with(sm->needs_fetch, slot);
}

/* The fetch unit tries the next warp that needs a fetch. */
static inline void fetch_warp(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 slot = slots_next(sm->needs_fetch, sm->fetch_turn), pc = slots_pick(&sm->lanes, lanes->pc, slot);
    if (pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return;
    }
    sm->fetch_turn = slot + 1 == MACHINE(sm, core_warps) ? 0 : slot + 1;
    const u32 outcome = fetch_line(sm, pc, slot);
    if (outcome == ACCESS_REFUSED)
        return;
    sm->needs_fetch = slots_without(sm->needs_fetch, slot);
    if (policy_rotates(sm)) /* the warp may wait from now on */
        sm->changed |= CHANGED_STATE;
    if (outcome == ACCESS_WAITS) {
        sm->asleep = slots_with(sm->asleep, slot);
        return;
    }
    if (slot_is(slot)) {
        lanes->buffered[AT(slot)] = fetched_from(sm, pc, PLAN(sm, code_line_shift));
        lanes->front_at[AT(slot)] = sm->now + MACHINE(sm, core_fetch_latency);
    }
    wheel_put(sm, WHEEL_VALID, slot, sm->now + MACHINE(sm, core_fetch_latency));
    oldest_changes(sm, lanes, slot);
}

static inline void fetch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    for (u32 n = 0; n < MACHINE(sm, core_fetches) && slots_any(sm->needs_fetch) && sm->status == WS_STATUS_running; ++n)
        fetch_warp(sm, lanes);
}

/* Whether a warp needs a fetch in the next cycle. */
static inline u32 fetches_next(PRIVATE const struct sm *sm)
{
    return slots_any(sm->needs_fetch);
}

#endif
