/* Dependence counters: they rise when instructions leave Control, and fall at read and write events (docs/model/subcore.md).
 * Changes to come are requests of the pool. */
#ifndef WS_PIPELINE_SUBCORE_COUNTERS_H
#define WS_PIPELINE_SUBCORE_COUNTERS_H

#include "memory/levels/levels.h"
#include "pipeline/subcore/head.h"

/* What is added to a counter, modulo 256; beside it: a write port must be free. */
enum { RISE = 1, FALL = 0xFF, NEEDS_PORT = 0x100 };

/* Puts a change on the agenda of a cycle. */
static inline void agenda_add(PRIVATE const struct sm *sm, u32 index, u32 at)
{
    GLOBAL struct ws_agenda *agenda = sm_agenda(sm);
    const u32 place = wheel_place(sm, at);
    sm_request(sm, index)->line = at;
    sm_request(sm, index)->bank_next = agenda->lists[place];
    agenda->lists[place] = (u16)index;
    agenda->places |= (u64)1 << place;
}

/* A counter of a warp changes in a cycle, not before this one. First lane only. */
static inline void counter_changes_at(PRIVATE const struct sm *sm, u32 slot, u32 counter, u32 at, u32 change)
{
    agenda_add(sm, message_take(sm, at, slot | counter << 8 | change << 16), at);
    if (pool_crowded(sm)) /* the SM must see that */
        sm_levels(sm)->next = sm->now;
}

/* The same of a barrier's counter; none for WS_SUB_NO_BARRIER. */
static inline void fall_at(PRIVATE const struct sm *sm, u32 slot, u32 barrier, u32 at)
{
    if (barrier < WS_SUB_COUNTERS)
        counter_changes_at(sm, slot, barrier, at, FALL);
}

/* The counters of an instruction that leaves Control in a cycle rise. */
static inline void rise_at(PRIVATE const struct sm *sm, u32 slot, u32 control, u32 at)
{
    if (WS_CONTROL_WRITES(control) < WS_SUB_COUNTERS)
        counter_changes_at(sm, slot, WS_CONTROL_WRITES(control), at, RISE);
    if (WS_CONTROL_READS(control) < WS_SUB_COUNTERS)
        counter_changes_at(sm, slot, WS_CONTROL_READS(control), at, RISE);
}

/* Whether a fixed result of the warp's sub-core is written in this cycle. */
static inline u32 fixed_writes(PRIVATE const struct sm *sm, u32 slot)
{
    GLOBAL struct ws_subcore *core = subcore_at(sm, slot & (ports(sm) - 1));
    results_reserved(sm, core);
    return core->results[(core->result_first - 1) % WS_SUB_RESULTS] == sm->now;
}

/* A change is due in this cycle; returns whether it is put off for a cycle, for a write port. */
static inline u32 change_waits(PRIVATE const struct sm *sm, u32 index)
{
    GLOBAL struct ws_request *request = sm_request(sm, index);
    GLOBAL struct ws_sub_warp *warp = warp_at(sm, request->tickets[0] & 0xFF);
    if (!(request->tickets[0] >> 16 & NEEDS_PORT) || !fixed_writes(sm, request->tickets[0] & 0xFF))
        return 0;
    request->tickets[0] ^= (u32)NEEDS_PORT << 16;
    warp->done_at = ws_max(warp->done_at, sm->now + 2);
    agenda_add(sm, index, sm->now + 1);
    return 1;
}

/* A group of copies awaits one event less: commits whose copies are all written take effect, in order. Returns as counter_changes.
 */
static inline u32 group_changes(PRIVATE const struct sm *sm, GLOBAL struct ws_sub_warp *warp, u32 group)
{
    u32 changed = warp->groups[group] == COPIES_MOST;
    warp->groups[group] -= 1;
    while (warp->group_count != 0 && warp->groups[warp->group_first] == 0) {
        warp->counters[warp->committed[warp->group_first]] -= 1;
        warp->group_first = (u8)((warp->group_first + 1u) % WS_SUB_GROUPS);
        warp->group_count -= 1;
        warp->done_at = ws_max(warp->done_at, sm->now + 1);
        warp->out -= 1;
        changed = 1;
    }
    return changed;
}

/* A counter changes; returns whether that can change whether the warp is ready. */
static inline u32 counter_changes(PRIVATE const struct sm *sm, GLOBAL struct ws_sub_warp *warp, u32 counter, u32 change)
{
    if (counter >= COUNTER_GROUPS)
        return group_changes(sm, warp, counter - COUNTER_GROUPS);
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
        if (request->line != sm->now) {
            request->bank_next = (u16)kept;
            kept = index;
        } else if (!change_waits(sm, index)) {
            if (counter_changes(sm, warp_at(sm, slot), what >> 8 & 0xFF, what >> 16))
                changed = slots_with(changed, slot);
            message_free(sm, index);
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
