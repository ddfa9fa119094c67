/* Dependence counters: they rise when instructions leave Control, and fall at read and write events (docs/model/subcore.md).
 * Changes to come are requests of the pool. */
#ifndef WS_PIPELINE_SUBCORE_COUNTERS_H
#define WS_PIPELINE_SUBCORE_COUNTERS_H

#include "memory/levels/levels.h"
#include "pipeline/subcore/head.h"

/* What is added to a counter, modulo 256. */
enum { RISE = 1, FALL = 0xFF };

/* A counter of a warp, or WS_SUB_NO_BARRIER for none, changes in a cycle, not before this one. First lane only. */
static inline void counter_changes_at(PRIVATE const struct sm *sm, u32 slot, u32 counter, u32 at, u32 change)
{
    GLOBAL struct ws_agenda *agenda = sm_agenda(sm);
    const u32 place = wheel_place(sm, at);
    if (counter >= WS_SUB_COUNTERS)
        return;
    const u32 index = message_take(sm, at, slot | counter << 8 | change << 16);
    sm_request(sm, index)->bank_next = agenda->lists[place];
    agenda->lists[place] = (u16)index;
    agenda->places |= (u64)1 << place;
    if (pool_crowded(sm)) /* the SM must see that */
        sm_levels(sm)->next = sm->now;
}

static inline void fall_at(PRIVATE const struct sm *sm, u32 slot, u32 counter, u32 at)
{
    counter_changes_at(sm, slot, counter, at, FALL);
}

/* The counters of an instruction that leaves Control in a cycle rise. */
static inline void rise_at(PRIVATE const struct sm *sm, u32 slot, u32 control, u32 at)
{
    counter_changes_at(sm, slot, WS_CONTROL_WRITES(control), at, RISE);
    counter_changes_at(sm, slot, WS_CONTROL_READS(control), at, RISE);
}

/* A counter changes; returns whether that can change whether the warp is ready. */
static inline u32 counter_changes(GLOBAL struct ws_sub_warp *warp, u32 counter, u32 change)
{
    const u32 value = (warp->counters[counter] + change) & 0xFF;
    warp->counters[counter] = (u8)value;
    return (warp->watched >> counter & 1) || value - COUNTER_FULL < 2;
}

/* Applies the changes of this cycle; returns the warps that may be ready or unready now. First lane only. */
static inline slot_set agenda_happens(PRIVATE const struct sm *sm)
{
    const u32 place = wheel_place(sm, sm->now);
    GLOBAL struct ws_agenda *agenda = sm_agenda(sm);
    slot_set changed = slots_none();
    u32 index = agenda->lists[place], kept = 0;
    while (index != 0) {
        GLOBAL struct ws_request *request = sm_request(sm, index);
        const u32 next = request->bank_next, what = request->tickets[0], slot = what & 0xFF;
        if (request->line == sm->now) {
            if (counter_changes(warp_at(sm, slot), what >> 8 & 0xFF, what >> 16))
                changed = slots_with(changed, slot);
            message_free(sm, index);
        } else {
            request->bank_next = (u16)kept;
            kept = index;
        }
        index = next;
    }
    agenda->lists[place] = (u16)kept;
    if (kept == 0)
        agenda->places &= ~((u64)1 << place);
    return changed;
}

/* The step counters. */
static inline void counters_change(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    slot_set changed = slots_none();
    if (lane_first() && (sm_agenda(sm)->places >> wheel_place(sm, sm->now) & 1))
        changed = agenda_happens(sm);
    changed = slots_from_first(&sm->lanes, changed);
    for (; slots_any(changed); changed = slots_rest(changed))
        head_check(sm, lanes, slots_first(changed), sm->now + 1);
}

static inline void agenda_rebase(PRIVATE const struct sm *sm, u32 elapsed)
{
    for (u32 place = 0; place < WS_WHEEL; ++place)
        for (u32 index = sm_agenda(sm)->lists[place]; index != 0; index = sm_request(sm, index)->bank_next)
            sm_request(sm, index)->line -= elapsed;
}

#endif
