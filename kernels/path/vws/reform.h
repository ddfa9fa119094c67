/* Units of a set at one pc merge (docs/model/pipelines.md; Rogers 4.5, 6.1, 6.4). */
#ifndef WS_PATH_VWS_REFORM_H
#define WS_PATH_VWS_REFORM_H

#include "path/vws/gangs.h"

/* Whether units that have split may merge again. */
static inline u32 rejoins(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, vws_gangs) == WS_toggle_on && MACHINE(sm, vws_reform) != WS_gang_reform_none;
}

/* ---- Waits at reconvergence points ---- */

/* Warps of a set have reached their pcs in this cycle, and others have ended: those at a reconvergence pc may wait there. */
static inline void sync_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 set, u32 members, u32 ended)
{
    if (!rejoins(sm) || MACHINE(sm, vws_reform) != WS_gang_reform_sync)
        return;
    const u32 live = slices_of_set(sm, sm->live, set) & ~ended;
    for (; members != 0; members &= members - 1) {
        const u32 slot = set + ws_ctz(members), pc = slots_pick(&sm->lanes, lanes->pc, slot);
        const u32 reconverges = unit_of_slot(sm, slot) != live && pc < sm->job->instructions && sm_pc_reconverges(sm)[pc];
        const u32 until = sm->now + MACHINE(sm, vws_sync);
        sm->syncing = slots_put(sm->syncing, slot, reconverges);
        if (!reconverges)
            continue;
        if (slot_is(slot))
            lanes->sync_until[AT(slot)] = until;
        sm->sync_at = ws_min(sm->sync_at, until + 1);
    }
}

/* Ends waits whose time is over. */
static inline void sync_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, waits);
    PER_SLOT(u32, at);
    if (sm->sync_at > sm->now)
        return;
    FOR_SLOTS (slot) {
        waits[AT(slot)] = slots_has(sm->syncing, slot) && lanes->sync_until[AT(slot)] >= sm->now;
        at[AT(slot)] = waits[AT(slot)] ? lanes->sync_until[AT(slot)] + 1 : WS_NEVER;
    }
    sm->syncing = slots_ballot(&sm->lanes, waits);
    sm->sync_at = slots_least(&sm->lanes, at);
}

/* Warps whose units are complete stop waiting. */
static inline void sync_completes(PRIVATE struct sm *sm)
{
    for (slot_set left = sm->syncing; slots_any(left);) {
        const u32 slot = slots_first(left), set = set_of(sm, slot), members = unit_of_slot(sm, slot);
        left = slots_minus(left, slots_of_set(sm, set, members));
        if (slices_of_set(sm, sm->live, set) == members)
            sm->syncing = slots_minus(sm->syncing, slots_of_set(sm, set, members));
    }
}

/* ---- Reform ---- */

/* Sets that have two units or more. */
static inline slot_set split_sets(PRIVATE const struct sm *sm)
{
    const slot_set leaders = leaders_of(sm, sm->live);
    return whole_sets(sm, slots_minus(leaders, lowest_slots(sm, leaders)));
}

/* Leaders of a set, from the slot's on, whose units may merge with that of the slot; ready: members of ready units. */
static inline u32 partners_of(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot, u32 leaders, slot_set ready)
{
    const u32 set = set_of(sm, slot), pc = slots_pick(&sm->lanes, lanes->pc, slot);
    u32 partners = 0;
    for (u32 left = leaders & ~ws_bits_below(slice_of(sm, slot) + 1); left != 0; left &= left - 1) {
        const u32 other = set + ws_ctz(left);
        const u32 alike = MACHINE(sm, vws_split) == WS_gang_split_none || slots_has(ready, slot) == slots_has(ready, other);
        if (slots_pick(&sm->lanes, lanes->pc, other) == pc && alike)
            partners |= left & (0u - left);
    }
    if (MACHINE(sm, vws_merge) == WS_gang_merge_pair)
        partners &= 0u - partners;
    return partners;
}

/* Examines the next set; ready: members of ready units. Returns the slots that have become one unit. */
static inline slot_set reform(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    const slot_set diverged = split_sets(sm);
    if (!slots_any(diverged))
        return diverged;
    const u32 set = slots_next(diverged, sm->reform_turn);
    sm->reform_turn = set + slices(sm);
    if (slices_of_set(sm, sm->moved, set) == 0)
        return slots_none();
    const slot_set here = slots_minus(sm->live, sm->at_barrier);
    const u32 leaders = slices_of_set(sm, leaders_of(sm, here), set);
    for (u32 left = leaders; left != 0; left &= left - 1) {
        const u32 slot = set + ws_ctz(left);
        u32 members = unit_of_slot(sm, slot), partners = partners_of(sm, lanes, slot, leaders, ready);
        if (partners == 0)
            continue;
        for (; partners != 0; partners &= partners - 1)
            members |= unit_of_slot(sm, set + ws_ctz(partners));
        unit_forms(sm, set, members);
        record_unit(sm, set, members);
        count(sm, WS_COUNT_gang_merges, 1);
        return slots_of_set(sm, set, members);
    }
    sm->moved = slots_minus(sm->moved, slots_of_set(sm, set, all_slices(sm)));
    return slots_none();
}

/* Whether examining some set could merge units. */
static inline u32 may_reform(PRIVATE const struct sm *sm)
{
    return rejoins(sm) && slots_any(slots_and(sm->moved, split_sets(sm)));
}

/* Advances the turn by cycles in which no units merge. */
static inline void reform_passes(PRIVATE struct sm *sm, u32 cycles)
{
    if (cycles == 0 || !rejoins(sm))
        return;
    const slot_set sets = lowest_slots(sm, split_sets(sm));
    if (!slots_any(sets))
        return;
    for (u32 left = cycles % slots_count(sets); left != 0; --left)
        sm->reform_turn = slots_next(sets, sm->reform_turn) + slices(sm);
}

#endif
