/* `serial`: no reconvergence; threads that diverge stay separate splits (docs/model/divergence.md; Fung 3.1). A warp's splits are
 * read and written in the warp's lane. */
#ifndef WS_PATH_SERIAL_H
#define WS_PATH_SERIAL_H

#include "path/narrow_alone.h"

static inline GLOBAL struct ws_split *warp_splits(PRIVATE const struct sm *sm, u32 warp)
{
    return sm_splits(sm) + warp * MACHINE(sm, core_warp_size);
}

/* Appends a split to the list. */
static inline void split_append(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 mask, u32 pc, u32 waits)
{
    const struct ws_split split = {mask, (u16)pc, (u16)waits};
    warp_splits(sm, warp)[lanes->split_count[AT(warp)]++] = split;
}

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle); /* the list is empty since the slot's last warp ended */
}

/* The first split that does not wait becomes current; without one the mask is empty. */
static inline void split_turns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    GLOBAL struct ws_split *splits = warp_splits(sm, warp);
    u32 n = 0;
    while (n < lanes->split_count[AT(warp)] && splits[n].waits)
        ++n;
    lanes->mask[AT(warp)] = 0;
    if (n == lanes->split_count[AT(warp)])
        return;
    lanes->mask[AT(warp)] = splits[n].mask;
    lanes->pc[AT(warp)] = splits[n].pc;
    lanes->split_count[AT(warp)] -= 1;
    for (; n < lanes->split_count[AT(warp)]; ++n)
        splits[n] = splits[n + 1];
}

/* Both sides of a branch; either may be empty. */
static inline void serial_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 taken)
{
    const u32 warp = packet->slot, other = packet->mask & ~taken;
    const u32 taken_first = taken_runs_first(sm, taken > other);
    for (u32 n = 0; n < 2; ++n) {
        const u32 goes = (n == 0) == taken_first, mask = goes ? taken : other;
        if (mask != 0)
            split_append(sm, lanes, warp, mask, goes ? packet->instruction->target : packet->pc + 1, 0);
    }
}

static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    PER_SLOT(u32, outcome);
    const u32 warp = packet->slot, class_ = packet->instruction->class_;
    const u32 goes_on = packet->mask & ~(class_ == WS_CLASS_exit ? packet->lanes : 0);
    u32 taken = 0;
    narrow_take_guards(sm, packet);
    if (class_ == WS_CLASS_branch) {
        narrow_decide(sm, packet, bits);
        taken = lanes_ballot(&sm->lanes, bits);
        count(sm, taken != 0 && taken != packet->mask ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    }
    FOR_SLOTS (slot)
        outcome[AT(slot)] = OUTCOME_NEXT;
    if (slot_is(warp)) {
        if (class_ == WS_CLASS_branch)
            serial_branch(sm, lanes, packet, taken);
        else if (goes_on != 0)
            split_append(sm, lanes, warp, goes_on, pc_after(packet->instruction, packet->pc), class_ == WS_CLASS_barrier);
        split_turns(sm, lanes, warp);
        if (lanes->mask[AT(warp)] == 0)
            outcome[AT(warp)] = lanes->split_count[AT(warp)] ? OUTCOME_BARRIER : OUTCOME_PATH;
    }
    return slots_pick(&sm->lanes, outcome, warp);
}

static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    return OUTCOME_NEXT;
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    FOR_SLOTS (slot) {
        if (slots_has(slots, slot)) {
            for (u32 n = 0; n < lanes->split_count[AT(slot)]; ++n)
                warp_splits(sm, slot)[n].waits = 0;
            split_turns(sm, lanes, slot);
        }
    }
    path_wake(sm, lanes, slots);
    return slots_none();
}

#endif
