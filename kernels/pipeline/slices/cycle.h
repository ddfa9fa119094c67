/* Pipeline `slices`: the scoreboard pipeline for path units of slices (shared/paths.def), whose small warps issue alone or in
 * gangs. One SM, cycle by cycle, the steps of docs/model/pipelines.md in their order. */
#ifndef WS_PIPELINE_SLICES_CYCLE_H
#define WS_PIPELINE_SLICES_CYCLE_H

#include "pipeline/parts/answers.h"
#include "pipeline/parts/retire.h"
#include "pipeline/slices/issue.h"
#include "skip/skip.h"

/* Advances to the next cycle whose outcome can differ from this one's. */
static inline void advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 issued)
{
    u32 next = issued ? sm->now + 1 : skip_to(sm, next_event(sm));
    if (issued)
        sm->deadline = sm->now + MACHINE(sm, core_watchdog);
    memory_goes_on(sm, issued ? next : ws_min(next, sm->deadline - 1)); /* before which the job ends */
    next = ws_min(next, sm->memory_at);
    count_stalls(sm, next - sm->now);
    if (sm->ldst_refused)
        count(sm, WS_COUNT_ldst_refusals, next - sm->now);
    reform_passes(sm, next - sm->now - 1);
    sm->now = next;
}

static inline void cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->changed = 0;
    slots_become(sm, lanes);
    memory(sm, lanes);
    ldst_cycle(sm, lanes);
    retire(sm, lanes);
    if (last_block_ended(sm)) {
        sm->status = WS_STATUS_ok;
        return;
    }
    release(sm, lanes);
    dispatch(sm, lanes, sm->now);
    const u32 issued = issue(sm, lanes);
    count(sm, WS_COUNT_issue_cycles, issued);
    if (sm->status == WS_STATUS_running)
        fetch(sm, lanes);
    if (sm->status == WS_STATUS_running)
        advance(sm, lanes, issued);
}

#endif
