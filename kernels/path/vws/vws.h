/* `vws`: variable warp sizing. Small warps with stacks of their own, alone or in gangs. A packet belongs to a unit (a gang or a
 * single warp); its lanes are those of the set's warp of 32 threads (docs/model/pipelines.md; Rogers 4). Its slot is that of the
 * unit's lowest slice. */
#ifndef WS_PATH_VWS_VWS_H
#define WS_PATH_VWS_VWS_H

#include "dispatch/barriers.h"
#include "path/reconvergence.h"
#include "path/stacked.h"
#include "path/vws/reform.h"

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return slots_none();
}

static inline u32 narrow_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 set = set_of(sm, warp);
    u32 mask = 0;
    for (u32 left = unit_of_slot(sm, warp); left != 0; left &= left - 1)
        mask |= slots_pick(&sm->lanes, lanes->mask, set + ws_ctz(left)) << ws_ctz(left) * MACHINE(sm, core_warp_size);
    return mask;
}

static inline u32 narrow_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    return lanes->mask[AT(warp)];
}

static inline void path_moved_on(PRIVATE struct sm *sm, slot_set warps)
{
}

static inline u32 narrow_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return set_of(sm, warp);
}

/* All threads of the set read one row of the trace; a few threads are read one by one. */
static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    threads_of_row(sm, &packet->threads, mask, packet->home * MACHINE(sm, core_warp_size), packet->first);
    packet->threads.row = ws_popcount(mask) > WS_LANES / 4;
}

/* When the last warp of a set enters, the set becomes the original gang. */
static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block, slots_pick(&sm->lanes, lanes->block_slot, warp));
    const u32 slice = slice_of(sm, warp), all = MACHINE(sm, vws_gangs);
    narrow_enter(sm, lanes, warp, threads, cycle);
    sm->moved = slots_with(sm->moved, warp);
    sm->syncing = slots_without(sm->syncing, warp);
    if (all && slice != slices(sm) - 1 && rank_of_warp(sm, lanes, warp, block) != sm->plan->warps_per_block - 1)
        return;
    const u32 members = all ? ws_bits_below(slice + 1) : ws_bit(slice);
    unit_forms(sm, set_of(sm, warp), members);
    record_unit(sm, set_of(sm, warp), members);
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    sm->moved = slots_or(sm->moved, slots);
    path_wake(sm, lanes, slots);
    return slots_none();
}

static inline void path_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    for (; slots_any(slots); slots = slots_rest(slots)) {
        warp_ends(sm, lanes, slots_first(slots));
        if (is_recorded(sm, WS_EVENT_gang))
            record_warp(sm, WS_EVENT_gang, slots_first(slots), 0, 0);
    }
}

/* Effect of the instruction on one warp of the unit; returns whether the warp ends. */
static inline u32 member_follows(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet,
                                 u32 slot, u32 taken)
{
    const u32 class_ = packet->instruction->class_;
    if (class_ == WS_CLASS_branch) {
        stacked_branch(sm, lanes, slot, packet->instruction, taken);
        return 0;
    }
    if (slot_is(slot)) {
        if (class_ == WS_CLASS_exit) {
            stacked_exit(sm, lanes, slot, lanes_in_slice(sm, packet->lanes, slice_of(sm, slot)));
        } else {
            lanes->pc[AT(slot)] = pc_after(packet->instruction, packet->pc);
            stack_settle(sm, lanes, slot);
        }
    }
    if (class_ == WS_CLASS_barrier)
        named_begins(sm, packet->instruction, slot);
    return class_ == WS_CLASS_exit && slots_pick(&sm->lanes, lanes->mask, slot) == 0;
}

/* Members that end leave the unit with OUTCOME_PATH (path_done); the others split where their pcs differ. */
static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    const u32 set = packet->home, members = unit_of_slot(sm, packet->slot);
    u32 taken = 0, ended = 0;
    narrow_take_guards(sm, packet);
    if (packet->instruction->class_ == WS_CLASS_branch) {
        narrow_decide(sm, packet, bits);
        taken = lanes_ballot(&sm->lanes, bits);
    }
    for (u32 left = members; left != 0; left &= left - 1) {
        const u32 slice = ws_ctz(left);
        ended |= member_follows(sm, lanes, packet, set + slice, lanes_in_slice(sm, taken, slice)) << slice;
    }
    if (sm->status != WS_STATUS_running)
        return OUTCOME_NEXT;
    if (ended != 0)
        leave_gangs(sm, set, ended);
    count(sm, WS_COUNT_gang_splits, unit_splits(sm, lanes, set, members & ~ended, ws_popcount(members)));
    sync_begins(sm, lanes, set, members & ~ended, ended);
    sm->moved = slots_or(sm->moved, slots_of_set(sm, set, members));
    packet->ended = ended;
    return packet->instruction->class_ == WS_CLASS_barrier ? OUTCOME_BARRIER : ended != 0 ? OUTCOME_PATH : OUTCOME_NEXT;
}

#endif
