/* Pipeline `subcore`: one SM, cycle by cycle, the steps of docs/model/subcore.md in their order. */
#ifndef WS_PIPELINE_SUBCORE_CYCLE_H
#define WS_PIPELINE_SUBCORE_CYCLE_H

#include "pipeline/parts/answers.h"
#include "pipeline/subcore/issue.h"

/* Warps that have ended and whose events lie in earlier cycles. First lane only. */
static inline slot_set warps_done(PRIVATE const struct sm *sm)
{
    slot_set done = slots_none();
    for (slot_set left = sm->leaving; slots_any(left); left = slots_rest(left)) {
        GLOBAL const struct ws_sub_warp *const warp = warp_at(sm, slots_first(left));
        if (warp->out == 0 && warp->done_at <= sm->now)
            done = slots_with(done, slots_first(left));
    }
    return done;
}

/* The step retire. */
static inline void retire(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    slot_set retired = slots_none();
    if (NONE_IS_SEEN(sm->leaving))
        return;
    if (lane_first())
        retired = warps_done(sm);
    retired = slots_from_first(&sm->lanes, retired);
    sm->leaving = slots_minus(sm->leaving, retired);
    for (; slots_any(retired); retired = slots_rest(retired))
        warp_retires(sm, lanes, slots_first(retired), sm->leaving);
}

/* A warp does not issue before a cycle. */
static inline void warp_waits(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 until)
{
    if (lane_first())
        warp_at(sm, slot)->issue_at = ws_max(warp_at(sm, slot)->issue_at, until);
    head_check(sm, lanes, slot, sm->now);
}

/* The step release. */
static inline void release(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (!sm->barriers_due)
        return;
    sm->barriers_due = 0;
    const slot_set released = release_barriers(sm, lanes);
    if (!slots_any(released))
        return;
    path_released(sm, lanes, released);
    if (MACHINE(sm, subcore_barrier) != 0)
        for (slot_set left = released; slots_any(left); left = slots_rest(left))
            warp_waits(sm, lanes, slots_first(left), sm->now + MACHINE(sm, subcore_barrier));
}

/* ---- Skipping cycles ---- */

/* Next cycle after this one in which a sub-core or the LD/ST unit may act. First lane only. */
static inline u32 acts_next(PRIVATE const struct sm *sm)
{
    GLOBAL const struct ws_busy *const busy = sm_busy(sm);
    u32 next = busy->streams != 0 ? sm->now + 1 : lsu_next(sm);
    for (u32 left = busy->stages | busy->fp64; left != 0; left &= left - 1)
        next = ws_min(next, stages_next(sm, subcore_at(sm, ws_ctz(left))));
    for (u32 left = ports_of(sm, sm->stalled); left != 0; left &= left - 1)
        next = ws_min(next, room_next(sm, subcore_at(sm, ws_ctz(left))));
    return next;
}

/* First cycle in which a warp that has ended may retire, as far as is known. First lane only. */
static inline u32 retires_next(PRIVATE const struct sm *sm)
{
    u32 next = WS_NEVER;
    for (slot_set left = sm->leaving; slots_any(left); left = slots_rest(left)) {
        GLOBAL const struct ws_sub_warp *const warp = warp_at(sm, slots_first(left));
        next = warp->out == 0 ? ws_min(next, warp->done_at) : next;
    }
    return next;
}

/* Next cycle whose outcome can differ from this one's, issued instructions and memory aside. */
static inline u32 next_event(PRIVATE struct sm *sm)
{
    u32 next = sm->now + 1;
    const slot_set ready = slots_minus(sm->ready, sm->at_barrier);
    const slot_set changed = slots_or(slots_minus(ready, sm->stalled), slots_minus(sm->stalled, ready)); /* since the issue step */
    if (slots_any(sm->needs_fetch) || slots_any(changed) || policy_rotates(sm) || sm->barriers_due || (sm->changed & CHANGED_STATE))
        return next;
    if (lane_first()) {
        const u32 events = ws_min(places_next(sm, sm_agenda(sm)->places), retires_next(sm));
        next = ws_min(events, acts_next(sm));
    }
    next = lanes_from_first(&sm->lanes, next);
    next = ws_min(ws_min(next, sm->lines_at), ws_min(sm->deadline, sm->end));
    return ws_min(ws_min(next, wheel_next(sm)), ws_min(dispatch_next(sm), policy_next(sm)));
}

/* Outcomes of slots in skipped cycles after one with issues: sub-cores that issued have no ready warp. */
static inline u32 kinds_after(PRIVATE const struct sm *sm)
{
    const u32 valid = ports_of(sm, slots_minus(sm->valid, sm->at_barrier));
    u32 issued = 0;
    for (u32 port = 0; port < ports(sm); ++port)
        issued |= (u32)((sm->slot_kinds >> SLOT_BITS * port & ws_bits_below(SLOT_BITS)) == SLOT_ISSUED) << port;
    return sm->slot_kinds | ports_with(issued & valid, SLOT_SCOREBOARD) | ports_with(issued & ~valid, SLOT_IDLE);
}

/* Advances to the next cycle whose outcome can differ from this one's. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 issued)
{
    if (issued)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    u32 next = skip_to(sm, ws_max(sm->now + 1, next_event(sm)));
    memory_goes_on(sm, ws_min(next, ws_max(sm->deadline - 1, sm->now + issued))); /* the job ends at the deadline */
    next = ws_min(next, sm->memory_at);
    const u32 cycles = next - sm->now;
    count(sm, WS_COUNT_ldst_refusals, sm->ldst_refused * cycles);
    count(sm, WS_COUNT_control_stalls, sm->controls_held * cycles);
    if (lane_first())
        passes_skipped(sm, cycles - 1);
    count_stalls(sm, issued ? 1 : cycles);
    sm->now += issued;
    if (issued && cycles > 1) {
        sm->slot_kinds = kinds_after(sm);
        count_stalls(sm, cycles - 1);
    }
    sm->now = next;
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    heads_become(sm, lanes);
    memory(sm, lanes);
    lines_arrive(sm);
    if (lane_first() && MACHINE(sm, subcore_fp64) == WS_fp64_unit_sm)
        fp64_starts(sm);
    lsu_cycle(sm, lanes);
    if (lane_first())
        stages(sm);
    retire(sm, lanes);
    if (last_block_ended(sm)) {
        sm->status = WS_STATUS_ok;
        return;
    }
    release(sm, lanes);
    if (SLOTS_RETURN)
        policy_events(sm, lanes); /* of warps whose slots others may get */
    dispatch(sm, lanes, sm->now);
    const u32 issued = issue(sm, lanes);
    count(sm, WS_COUNT_issue_cycles, issued);
    if (sm->status != WS_STATUS_running)
        return;
    fetch(sm, lanes);
    counters_change(sm, lanes);
    advance(sm, lanes, issued);
}

#endif
