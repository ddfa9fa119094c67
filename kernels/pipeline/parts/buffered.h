/* Interface of pipelines with instruction buffers, independent of the pipeline. */
#ifndef WS_PIPELINE_PARTS_BUFFERED_H
#define WS_PIPELINE_PARTS_BUFFERED_H

#include "pipeline/parts/issue_ports.h"
#include "pipeline/parts/ldst.h"

/* ---- Defined by each such pipeline ---- */

/* True if fetch acts in the next cycle. */
static inline u32 fetches_next(PRIVATE const struct sm *sm);

/* First cycle in which a warp may issue that cannot now. */
static inline u32 issue_next(PRIVATE struct sm *sm);

/* ---- Shared ---- */

/* Next cycle whose outcome can differ from this one's, in which nothing issued. */
static inline u32 next_event(PRIVATE struct sm *sm)
{
    u32 next = ws_min(ws_min(sm->deadline, sm->end), ws_min(sm->retire_at, ldst_next(sm)));
    if (fetches_next(sm))
        return sm->now + 1;
    next = ws_min(ws_min(next, dispatch_next(sm)), ws_min(wheel_next(sm), sm->overflow_at));
    return ws_min(next, issue_next(sm));
}

/* A warp enters with nothing under way. */
static inline void warp_opens(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    if (slot_is(warp)) {
        registers_open(sm, warp);
        lanes->accesses_out[AT(warp)] = 0;
        lanes->busy_until[AT(warp)] = 0;
        lanes->buffered[AT(warp)] = 0;
    }
    sm->needs_fetch = slots_with(sm->needs_fetch, warp);
    ports_change(sm); /* the scheduler is told in this cycle, so that the order which it records is of this cycle */
}

static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
}

static inline u32 pipeline_wants_room(PRIVATE const struct sm *sm)
{
    return pool_crowded(sm);
}

static inline void pipeline_totals(PRIVATE struct sm *sm)
{
    count_code_hits(sm);
    count_tallied_slots(sm);
}

static inline void pipeline_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
    registers_rebase(sm, elapsed);
    units_rebase(sm, elapsed);
    ldst_rebase(sm, elapsed);
    levels_rebase(sm, elapsed);
}

#endif
