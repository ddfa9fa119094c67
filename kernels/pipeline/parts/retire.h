/* Warps that have ended retire when all their issued instructions are complete; and barriers (docs/model/pipelines.md). */
#ifndef WS_PIPELINE_PARTS_RETIRE_H
#define WS_PIPELINE_PARTS_RETIRE_H

#include "pipeline/pipeline.h"
#include "skip/skip.h"

/* Cycle in which all issued instructions of a warp are complete; WS_NEVER while it waits for memory. Runs in its lane. */
static inline u32 done_at(PRIVATE const struct sm_lanes *lanes, u32 slot)
{
    return lanes->accesses_out[AT(slot)] != 0 ? WS_NEVER : lanes->busy_until[AT(slot)];
}

/* Warps that have ended and wait for nothing more; next: the next cycle in which another one satisfies that. */
static inline slot_set warps_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE u32 *next)
{
    PER_SLOT(u32, at);
    PER_SLOT(u32, due);
    if (LANE_COPIES > 1) { /* few warps have ended */
        slot_set done = slots_none();
        *next = WS_NEVER;
        FOR_SLOTS_OF (slot, sm->leaving) {
            if (done_at(lanes, slot) <= sm->now)
                done = slots_with(done, slot);
            else
                *next = ws_min(*next, done_at(lanes, slot));
        }
        return done;
    }
    FOR_SLOTS (slot) {
        at[AT(slot)] = slots_has(sm->leaving, slot) ? done_at(lanes, slot) : WS_NEVER;
        due[AT(slot)] = at[AT(slot)] <= sm->now;
        at[AT(slot)] = due[AT(slot)] ? WS_NEVER : at[AT(slot)];
    }
    *next = slots_least(&sm->lanes, at);
    return slots_ballot(&sm->lanes, due);
}

/* Retires warps that have ended and wait for nothing more, and ends blocks whose warps have all retired. */
static inline void retire(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (SKIPS && sm->retire_at > sm->now)
        return;
    slot_set retired = warps_done(sm, lanes, &sm->retire_at);
    sm->leaving = slots_minus(sm->leaving, retired);
    for (; slots_any(retired); retired = slots_rest(retired))
        warp_retires(sm, lanes, slots_first(retired), sm->leaving);
}

/* Releases the warps of complete barriers. An issue in the last cycle may have completed one, so ports are evaluated. */
static inline void release(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (!sm->barriers_due)
        return;
    sm->barriers_due = 0;
    slot_set released = release_barriers(sm, lanes);
    if (!slots_any(released))
        return;
    path_released(sm, lanes, released);
}

#endif
