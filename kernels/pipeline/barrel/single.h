/* Packets in flight where a warp has at most one: kept with its slot. */
#ifndef WS_PIPELINE_BARREL_SINGLE_H
#define WS_PIPELINE_BARREL_SINGLE_H

#include "pipeline/barrel/warps.h"
#include "state/ready.h"

/* ---- Defined by the path unit ---- */

/* Slots that have no packet in flight, wait for no data, and still are not ready, for reasons of the path unit. */
static inline slot_set path_resting(PRIVATE const struct sm *sm);

/* The last missing line of the slot's packet has arrived. Runs in the slot's lane. Returns the packet's outcome. */
static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot);

/* ---- Readiness ---- */

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
    if (slot_is(warp)) {
        lanes->missing[AT(warp)] = 0;
        selectable_from(sm, lanes, warp, cycle);
        lanes->warp_event_at[AT(warp)] = WS_NEVER;
    }
}

static inline void path_admit(PRIVATE struct sm *sm)
{
    sm->entering = slots_none();
}

static inline slot_set path_ready(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    return selectable(sm, lanes);
}

static inline void path_sleep(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    sm->asleep = slots_with(sm->asleep, slot);
    if (slot_is(slot))
        selectable_from(sm, lanes, slot, WS_NEVER);
}

static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    sm->asleep = slots_minus(sm->asleep, slots);
    FOR_SLOTS_OF (slot, slots)
        selectable_from(sm, lanes, slot, sm->now);
}

/* ---- Issue ---- */

/* The packet occupies the pipeline until a cycle, then its outcome takes effect. */
static inline void flight_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 done, u32 outcome)
{
    const u32 warp = packet->slot, misses = packet->access.misses;
    if (misses != 0)
        sm->data_missing = slots_with(sm->data_missing, warp);
    if (outcome != OUTCOME_NEXT)
        sm->event_at = ws_min(sm->event_at, done);
    if (slot_is(warp)) {
        lanes->missing[AT(warp)] = misses;
        lanes->done_at[AT(warp)] = done;
        selectable_from(sm, lanes, warp, outcome != OUTCOME_NEXT || misses != 0 ? WS_NEVER : done);
        lanes->outcome[AT(warp)] = outcome;
        if (outcome != OUTCOME_NEXT)
            event_in(sm, lanes, warp, done);
    }
}

static inline void flight_accesses(PRIVATE struct sm *sm, PRIVATE const struct packet *packet, PRIVATE const u32 *address)
{
}

/* The ticket of the lines that the packet misses: its slot. */
static inline u32 flight_ticket(PRIVATE struct sm *sm, PRIVATE const struct packet *packet)
{
    return packet->slot;
}

/* ---- Fill ---- */

/* An outcome of the path unit takes effect in a cycle. Runs in the slot's lane. */
static inline void comes_to(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 outcome, u32 cycle)
{
    lanes->outcome[AT(slot)] = outcome;
    event_in(sm, lanes, slot, cycle);
    selectable_from(sm, lanes, slot, WS_NEVER);
}

static inline void flight_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, waiters waiting)
{
    FOR_SLOTS_OF (slot, waiting) {
        if (--lanes->missing[AT(slot)] == 0) {
            const u32 done = ws_max(sm->now, lanes->done_at[AT(slot)]);
            const u32 outcome = path_data_arrives(sm, lanes, slot);
            selectable_from(sm, lanes, slot, done);
            if (outcome != OUTCOME_NEXT)
                comes_to(sm, lanes, slot, outcome, done);
        }
    }
    if (PATH_REGROUPS)
        sm->event_at = events_next(sm, lanes);
}

/* ---- Complete and release ---- */

static inline u32 flight_completes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    if (sm->now < sm->event_at)
        return 0;
    slot_set arriving;
    const slot_set due = events_take(sm, lanes, OUTCOME_BARRIER, &arriving);
    for (slot_set warps = arriving; slots_any(warps); warps = slots_rest(warps)) /* at a barrier instruction */
        if (!warp_at_barrier(sm, lanes, slots_first(warps)))
            path_wake(sm, lanes, slots_only(slots_first(warps)));
    const slot_set done = slots_minus(due, arriving);
    sm->data_missing = slots_minus(sm->data_missing, done);
    path_done(sm, lanes, done);
    return 1;
}

static inline void flight_releases(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const slot_set waits = path_released(sm, lanes, release_barriers(sm, lanes));
    FOR_SLOTS_OF (slot, waits)
        comes_to(sm, lanes, slot, OUTCOME_PATH, sm->now + 1);
    sm->event_at = events_next(sm, lanes);
}

/* ---- Stall slots ---- */

static inline slot_set flight_awaits(PRIVATE struct sm *sm, slot_set ready)
{
    sm->data_missing = slots_minus(sm->data_missing, ready);
    return sm->data_missing;
}

static inline u32 flight_is_busy(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const slot_set away = slots_or(slots_or(sm->asleep, sm->at_barrier), slots_or(sm->entering, path_resting(sm)));
    return slots_any(policy_candidates(sm, slots_minus(sm->live, away)));
}

static inline u32 flight_next_event(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 port)
{
    return port ? sm->event_at : ws_min(selectable_next(sm, lanes), sm->event_at);
}

static inline void flight_open(PRIVATE struct sm *sm)
{
}

static inline void flight_rebase(PRIVATE struct sm *sm, u32 elapsed)
{
}

#endif
