/* Pipeline `scoreboard`: one SM, cycle by cycle, the steps of docs/model/pipelines.md in their order. */
#ifndef WS_PIPELINE_SCOREBOARD_CYCLE_H
#define WS_PIPELINE_SCOREBOARD_CYCLE_H

#include "pipeline/parts/answers.h"
#include "pipeline/parts/retire.h"
#include "pipeline/scoreboard/issue.h"

/* While only the scheduler's state changes (CHANGED_STATE), cycles up to the next event are skipped but for the rotate and issue
 * steps. */
static inline u32 is_skipped(PRIVATE const struct sm *sm)
{
    return SKIPS && policy_rotates(sm) && sm->now < sm->skip_until;
}

/* Rotates the schedulers for cycles from one on in which nothing else happens, and counts their stall slots; returns the first
 * cycle that remains to be simulated. */
static inline u32 rotate_ahead(PRIVATE struct sm *sm, u32 from)
{
    u32 cycles = sm->skip_until > from && !records_stalls(sm) ? sm->skip_until - from : 0;
    if (cycles == 0)
        return from;
    const slot_set held = slots_or(sm->at_barrier, sm->atomics), awaits = awaiting(sm);
    const slot_set ready = slots_minus(sm->ready, held), valid = slots_minus(sm->valid, held);
    const u32 ports = MACHINE(sm, core_issue_ports);
    for (sm->port = 0; sm->port < ports && cycles != 0; ++sm->port)
        cycles = policy_quiet(sm, awaits, ready, cycles);
    for (sm->port = 0; sm->port < ports && cycles != 0; ++sm->port) {
        const slot_set stays = slots_minus(slots_and(sm->live, policy_candidates(sm, port_slots(sm))), awaits);
        const u32 full = slots_any(slots_and(ready, stays)), with = policy_turn(sm, awaits, valid, cycles);
        count(sm, WS_COUNT_stall_pipeline, full ? cycles : 0);
        count(sm, WS_COUNT_stall_scoreboard, full ? 0 : with);
        count(sm, WS_COUNT_stall_idle, full ? 0 : cycles - with);
    }
    return from + cycles;
}

/* Advances to the next cycle whose outcome can differ from this one's. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 issued)
{
    const u32 rotates = policy_rotates(sm) && (sm->changed & CHANGED_STATE);
    u32 next = sm->now + 1;
    if (issued)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    if (issued || !is_skipped(sm)) {
        const u32 event = issued ? next : skip_to(sm, next_event(sm));
        next = rotates ? next : event;
        memory_goes_on(sm, issued ? next : ws_min(next, sm->deadline - 1)); /* before which the job ends */
        next = ws_min(next, sm->memory_at);
        if (policy_rotates(sm))
            sm->skip_until = rotates ? ws_min(event, sm->memory_at) : 0;
    }
    count_stalls(sm, next - sm->now);
    if (LANE_COPIES > 1 && !issued)
        next = rotate_ahead(sm, next);
    if (sm->ldst_refused) {
        const u32 later = LANE_COPIES > 1 && sm->ldst_refused == LDST_REFUSED_NEXT;
        count(sm, WS_COUNT_ldst_refusals, next - sm->now - later);
        sm->ldst_refused = LDST_REFUSED;
    }
    sm->now = next;
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    if (!is_skipped(sm)) {
        slots_become(sm, lanes);
        memory(sm, lanes);
        ldst_cycle(sm, lanes);
        retire(sm, lanes);
        if (last_block_ended(sm)) {
            sm->status = WS_STATUS_ok;
            return;
        }
        release(sm, lanes);
        if (SLOTS_RETURN)
            policy_events(sm, lanes); /* of warps whose slots others may get */
        dispatch(sm, lanes, sm->now);
    }
    const u32 issued = issue(sm, lanes);
    count(sm, WS_COUNT_issue_cycles, issued);
    if (sm->status == WS_STATUS_running)
        fetch(sm, lanes);
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, issued);
}

#endif
