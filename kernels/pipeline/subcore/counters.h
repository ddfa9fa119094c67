/* Dependence counters: they rise when instructions leave Control, and fall at read and write events (docs/model/subcore.md). Falls
 * to come are requests of the pool, in a list for each place of the timing wheel. */
#ifndef WS_PIPELINE_SUBCORE_COUNTERS_H
#define WS_PIPELINE_SUBCORE_COUNTERS_H

#include "memory/levels/levels.h"
#include "pipeline/subcore/head.h"

/* A counter of a warp, or WS_SUB_NO_BARRIER for none, falls in a cycle, not before this one. First lane only. */
static inline void fall_at(PRIVATE const struct sm *sm, u32 slot, u32 counter, u32 at)
{
    GLOBAL u16 *list = sm_falls(sm) + wheel_place(sm, at);
    if (counter >= WS_SUB_COUNTERS)
        return;
    const u32 index = message_take(sm, at, slot | counter << 8);
    sm_request(sm, index)->bank_next = *list;
    *list = (u16)index;
    if (pool_crowded(sm)) /* the SM must see that */
        sm_levels(sm)->next = sm->now;
}

/* Applies the falls of this cycle; returns the warps. */
static inline slot_set counters_fall(PRIVATE const struct sm *sm)
{
    GLOBAL u16 *list = sm_falls(sm) + wheel_place(sm, sm->now);
    slot_set changed = slots_none();
    u32 index = *list, kept = 0;
    while (index != 0) {
        GLOBAL struct ws_request *request = sm_request(sm, index);
        const u32 next = request->bank_next, slot = request->tickets[0] & 0xFF;
        if (request->line == sm->now) {
            warp_at(sm, slot)->counters[request->tickets[0] >> 8] -= 1;
            changed = slots_with(changed, slot);
            message_free(sm, index);
        } else {
            request->bank_next = (u16)kept;
            kept = index;
        }
        index = next;
    }
    *list = (u16)kept;
    return changed;
}

/* Applies the rises of this cycle; returns the warps. */
static inline slot_set counters_rise(PRIVATE const struct sm *sm)
{
    slot_set changed = slots_none();
    for (u32 port = 0; port < ports(sm); ++port) {
        GLOBAL struct ws_subcore *core = subcore_at(sm, port);
        if (!core->rises)
            continue;
        const u32 slot = core->rising_slot, control = operands_at(sm, core->rising_pc)->control;
        core->rises = 0;
        if (WS_CONTROL_WRITES(control) < WS_SUB_COUNTERS)
            warp_at(sm, slot)->counters[WS_CONTROL_WRITES(control)] += 1;
        if (WS_CONTROL_READS(control) < WS_SUB_COUNTERS)
            warp_at(sm, slot)->counters[WS_CONTROL_READS(control)] += 1;
        changed = slots_with(changed, slot);
    }
    return changed;
}

/* The step counters. */
static inline void counters_change(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    slot_set changed = slots_none();
    if (lane_first())
        changed = slots_or(counters_rise(sm), counters_fall(sm));
    changed = slots_from_first(&sm->lanes, changed);
    for (; slots_any(changed); changed = slots_rest(changed))
        head_check(sm, lanes, slots_first(changed));
}

/* Next cycle with a list that is not empty. First lane only. */
static inline u32 falls_next(PRIVATE const struct sm *sm)
{
    for (u32 at = sm->now + 1; at <= sm->now + WS_WHEEL; ++at)
        if (sm_falls(sm)[wheel_place(sm, at)] != 0)
            return at;
    return WS_NEVER;
}

static inline void falls_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 place = 0; place < WS_WHEEL; ++place)
        for (u32 index = sm_falls(sm)[place]; index != 0; index = sm_request(sm, index)->bank_next)
            sm_request(sm, index)->line -= elapsed;
}

#endif
