/* `serial`: threads that part never meet again (docs/model/divergence.md; Fung 3.1). What touches a warp's parts runs in the warp's
 * lane.
 */
#ifndef WS_PATH_SERIAL_H
#define WS_PATH_SERIAL_H

#include "path/narrow_alone.h"

static inline GLOBAL struct ws_part *warp_parts(PRIVATE const struct sm *sm, u32 warp)
{
    return sm_parts(sm) + warp * MACHINE(sm, core_warp_size);
}

/* A part goes to the end of the list. */
static inline void part_append(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 mask, u32 pc, u32 waits)
{
    const struct ws_part part = {mask, (u16)pc, (u16)waits};
    warp_parts(sm, warp)[lanes->part_count[AT(warp)]++] = part;
}

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle); /* its list is empty since the last warp in the slot ended */
}

/* The first part that does not wait has its turn; without one the mask is empty. */
static inline void part_turns(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    GLOBAL struct ws_part *parts = warp_parts(sm, warp);
    u32 n = 0;
    while (n < lanes->part_count[AT(warp)] && parts[n].waits)
        ++n;
    lanes->mask[AT(warp)] = 0;
    if (n == lanes->part_count[AT(warp)])
        return;
    lanes->mask[AT(warp)] = parts[n].mask;
    lanes->pc[AT(warp)] = parts[n].pc;
    lanes->part_count[AT(warp)] -= 1;
    for (; n < lanes->part_count[AT(warp)]; ++n)
        parts[n] = parts[n + 1];
}

/* The sides of a branch, of which none may have a thread. */
static inline void serial_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 taken)
{
    const u32 warp = packet->slot, other = packet->mask & ~taken;
    const u32 taken_first = taken_runs_first(sm, taken > other);
    for (u32 n = 0; n < 2; ++n) {
        const u32 goes = (n == 0) == taken_first, mask = goes ? taken : other;
        if (mask != 0)
            part_append(sm, lanes, warp, mask, goes ? packet->instruction->target : packet->pc + 1, 0);
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
            part_append(sm, lanes, warp, goes_on, pc_after(packet->instruction, packet->pc), class_ == WS_CLASS_barrier);
        part_turns(sm, lanes, warp);
        if (lanes->mask[AT(warp)] == 0)
            outcome[AT(warp)] = lanes->part_count[AT(warp)] ? OUTCOME_BARRIER : OUTCOME_PATH;
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
            for (u32 n = 0; n < lanes->part_count[AT(slot)]; ++n)
                warp_parts(sm, slot)[n].waits = 0;
            part_turns(sm, lanes, slot);
        }
    }
    path_wake(sm, lanes, slots);
    return slots_none();
}

#endif
