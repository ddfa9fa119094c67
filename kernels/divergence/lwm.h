/* `lwm`: large warps whose active threads are packed into sub-warps (docs/model.md 4; Narasiman 3.1). */
#ifndef WS_DIVERGENCE_LWM_H
#define WS_DIVERGENCE_LWM_H

#include "core/fetch.h"
#include "divergence/lwm_pack.h"
#include "schedule/policy.h"

static inline void unit_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    if (lane_is(warp))
        lanes->units[OF(warp)] = lanes->flying[OF(warp)] = lanes->missed[OF(warp)] = 0;
    FOR_LANES (lane) {
        u32 rows = 0;
        for (u32 row = 0; row < sm->plan->rows; ++row) {
            const u32 slot = thread_slot(sm, warp, row, lane);
            rows |= row * WS_LANES + lane < threads ? ws_bit(row) : 0;
            sm_decisions(sm)[slot] = 0;
            sm_accesses(sm)[slot] = 0;
            *waiter(sm, WAITER_LEADER, slot) = 0;
        }
        *column(sm, COLUMN_ACTIVE, warp, lane) = (u16)rows;
        *column(sm, COLUMN_TODO, warp, lane) = 0;
        *column(sm, COLUMN_BUSY, warp, lane) = 0;
    }
    if (cycle > sm->now) {
        sm->entering |= ws_bit(warp);
        sm->changed = 1;
    } else {
        sm->selectable |= ws_bit(warp);
    }
}

/* Mask of selectable warps. */
static inline u32 unit_selectable(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    (void)lanes;
    return sm->selectable;
}

static inline u32 unit_awaiting(PRIVATE const struct sm *sm, u32 selectable)
{
    const u32 holds = sm->holder == WS_NEVER ? 0 : ws_bit(sm->holder);
    return (sm->all_missed & ~selectable & ~holds) | sm->code_missing | sm->at_barrier;
}

static inline u32 unit_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    (void)lanes;
    return sm->unit_count != 0 ? unit_at(sm, sm->unit_first)->completes : WS_NEVER;
}

/* The cycles of units in the pipeline, at the end of a slice. In the first lane. */
static inline void unit_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    for (u32 n = 0; n < sm->unit_count; ++n)
        unit_at(sm, sm->unit_first + n)->completes -= elapsed;
}

/* A lost slot with nothing to select. */
static inline u32 lwm_nothing(PRIVATE const struct sm *sm)
{
    return sm->unit_count != 0 || sm->waiting_units != 0 ? SLOT_SCOREBOARD : SLOT_IDLE;
}

/* The slot while a large warp holds decode; *passed is set when it steps aside. */
static inline u32 lwm_hold(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable, PRIVATE u32 *passed)
{
    const u32 hold = sm->machine->divergence_decode == WS_decode_hold;
    const u32 can_pack = packable(sm, sm->holder);
    *passed = 0;
    if (!can_pack && hold)
        return SLOT_SCOREBOARD;
    if (sm->now < sm->select_at)
        return can_pack || selectable != 0 ? SLOT_PIPELINE : lwm_nothing(sm);
    if (can_pack)
        return lwm_pack(sm, lanes, sm->holder, PACK_GOES_ON);
    sm->holder = WS_NEVER;
    sm->changed = 1;
    *passed = 1;
    return SLOT_SCOREBOARD;
}

/* Uses the cycle's issue slot. */
static inline u32 unit_select(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 selectable)
{
    if (sm->holder != WS_NEVER) {
        u32 passed;
        const u32 slot = lwm_hold(sm, lanes, selectable, &passed);
        if (!passed)
            return slot;
    }
    if (selectable == 0)
        return lwm_nothing(sm);
    if (sm->now < sm->select_at)
        return SLOT_PIPELINE;
    const u32 warp = policy_choose(sm, lanes, selectable);
    const u32 pc = lanes_pick(&sm->lanes, lanes->pc, warp);
    if (pc >= sm->job->instructions) {
        sm->status = WS_STATUS_bad_trace;
        return SLOT_IDLE;
    }
    const u32 outcome = fetch(sm, warp, pc);
    if (outcome == FETCH_FULL)
        return refuse(sm, warp, 1);
    if (outcome == FETCH_MISS) {
        policy_chosen(sm, lanes, warp);
        sm->selectable &= ~ws_bit(warp);
        return SLOT_IDLE;
    }
    return lwm_pack(sm, lanes, warp, sm->begun >> warp & 1 ? PACK_RESUMES : PACK_BEGINS);
}

#endif
