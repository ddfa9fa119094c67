/* Compaction blocks: outcomes of branches, the stack, and the compactor (docs/model/divergence.md). A compaction block is the mask
 * of its slots; its data lie in the lane of its first slot unless stated. */
#ifndef WS_PATH_TBC_BLOCK_H
#define WS_PATH_TBC_BLOCK_H

#include "dispatch/barriers.h"
#include "path/narrow.h"
#include "state/ready.h"

/* Of a compacted warp: the static warp of a lane's thread. Read and written by that lane. */
static inline GLOBAL u8 *row_of_thread(PRIVATE const struct sm *sm, u32 warp, u32 lane)
{
    return sm_row_of_thread(sm) + warp * WS_LANES + lane;
}

/* Slots of the compaction block of a warp that enters: consecutive, because all blocks of a job have one size and leave as a
 * whole. */
static inline slot_set slots_together(PRIVATE const struct sm *sm, u32 warp, u32 first_thread)
{
    const u32 size = MACHINE(sm, core_warp_size);
    const u32 rank = first_thread % (sm->job->groups_per_block * WS_LANES) / size;
    const u32 member = rank % (MACHINE(sm, divergence_compaction_block) / size);
    const u32 members = ws_min(MACHINE(sm, divergence_compaction_block) / size, sm->plan->warps_per_block - (rank - member));
    return slots_from(warp - member, members);
}

/* Outcomes of a warp: it waits for its compaction block at its reconvergence point, after a branch, or after an exit. */
enum { TBC_RECONVERGES = OUTCOME_PATH, TBC_BRANCH, TBC_EXIT };

/* Stores which threads of a warp take a branch or exit, a bit for each lane, with their static warps. */
static inline void tbc_outcomes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, PRIVATE const u32 *bits)
{
    PER_LANE(u32, rows);
    PER_LANE(u32, taken);
    const u32 all = lanes_ballot(&sm->lanes, bits);
    if (all == 0)
        return;
    if (!slots_has(sm->compacted, warp)) {
        if (slot_is(warp))
            lanes->taken[AT(warp)] = all;
        return;
    }
    const slot_set mates = slots_pick_set(&sm->lanes, lanes->block_mates, warp);
    const u32 home = slots_first(mates);
    FOR_LANES (lane)
        rows[OF(lane)] = bits[OF(lane)] << *row_of_thread(sm, warp, lane);
    for (slot_set slots = mates; slots_any(slots); slots = slots_rest(slots)) {
        const u32 slot = slots_first(slots);
        FOR_LANES (lane)
            taken[OF(lane)] = rows[OF(lane)] >> (slot - home) & 1;
        const u32 row = lanes_ballot(&sm->lanes, taken);
        if (slot_is(slot))
            lanes->taken[AT(slot)] |= row;
    }
}

/* Whether the group has a thread left. */
static inline u32 tbc_any(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block)
{
    return slots_any(slots_and(slots_ballot(&sm->lanes, lanes->mask), block));
}

/* A conditional branch; returns whether the group diverged. */
static inline u32 tbc_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block,
                             GLOBAL const struct ws_instruction *branch)
{
    PER_SLOT(u32, go);
    PER_SLOT(u32, stay);
    const u32 home = slots_first(block);
    const u32 before = slots_pick(&sm->lanes, lanes->depth, home);
    FOR_SLOTS (slot) {
        go[AT(slot)] = lanes->taken[AT(slot)];
        stay[AT(slot)] = lanes->mask[AT(slot)] & ~lanes->taken[AT(slot)];
    }
    const u32 some_go = slots_any(slots_and(slots_ballot(&sm->lanes, go), block));
    const u32 some_stay = slots_any(slots_and(slots_ballot(&sm->lanes, stay), block));
    const u32 diverged = some_go && some_stay;
    const u32 last = slots_last(slots_and(slots_ballot(&sm->lanes, lanes->mask), block)); /* slot of the highest thread */
    const u32 taken_first = taken_runs_first(sm, slots_pick(&sm->lanes, go, last) > slots_pick(&sm->lanes, stay, last));
    count(sm, diverged ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    FOR_SLOTS_OF (slot, block) {
        if (diverged)
            stack_diverge(sm, lanes, slot, branch, lanes->taken[AT(slot)], taken_first);
        else
            lanes->pc[AT(slot)] = some_go ? branch->target : lanes->pc[AT(slot)] + 1;
        lanes->taken[AT(slot)] = 0;
    }
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, home);
    count(sm, WS_COUNT_stack_pushes, depth - before);
    count_most(sm, WS_COUNT_stack_deepest, depth);
    if (depth > MACHINE(sm, divergence_stack_depth))
        stack_overflows(sm, home);
    return diverged;
}

/* Threads of the group exit: they leave its mask and all entries. Returns whether there are any. */
static inline u32 tbc_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block)
{
    const u32 some = slots_any(slots_and(slots_ballot(&sm->lanes, lanes->taken), block));
    FOR_SLOTS_OF (slot, block) {
        stack_leave(sm, lanes, slot, lanes->taken[AT(slot)]);
        lanes->taken[AT(slot)] = 0;
    }
    return some;
}

/* Pops while the group is at its reconvergence point or has no active thread; returns the number of entries popped. */
static inline u32 tbc_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block)
{
    const u32 home = slots_first(block), before = slots_pick(&sm->lanes, lanes->depth, home);
    u32 depth = before;
    while (depth != 0 && (!tbc_any(sm, lanes, block) ||
                          slots_pick(&sm->lanes, lanes->pc, home) == slots_pick(&sm->lanes, lanes->reconverge_pc, home))) {
        FOR_SLOTS_OF (slot, block)
            stack_pop(sm, lanes, slot);
        --depth;
    }
    count(sm, WS_COUNT_stack_pops, before - depth);
    return before - depth;
}

/* Compacts the group: each lane assigns its threads to the warps in order. */
static inline void tbc_compact(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block)
{
    PER_LANE(u32, rows);
    PER_LANE(u32, member);
    PER_LANE(u32, lowest);
    const u32 home = slots_first(block);
    FOR_LANES (lane)
        rows[OF(lane)] = 0;
    for (slot_set slots = block; slots_any(slots); slots = slots_rest(slots)) {
        const u32 slot = slots_first(slots), mask = slots_pick(&sm->lanes, lanes->mask, slot);
        FOR_LANES (lane)
            rows[OF(lane)] |= (mask >> lane & 1) << (slot - home);
    }
    for (slot_set slots = block; slots_any(slots); slots = slots_rest(slots)) {
        const u32 slot = slots_first(slots);
        GLOBAL u8 *row = row_of_thread(sm, slot, 0);
        FOR_LANES (lane) {
            member[OF(lane)] = rows[OF(lane)] != 0;
            lowest[OF(lane)] = lane_lowest(rows[OF(lane)] | 0x80000000u);
            rows[OF(lane)] &= rows[OF(lane)] - 1;
        }
        FOR_LANES (lane)
            row[lane] = (u8)lowest[OF(lane)];
        const u32 members = lanes_ballot(&sm->lanes, member);
        if (slot_is(slot))
            lanes->threads[AT(slot)] = members;
    }
}

/* Regroups the threads; the compactor forms their warps, one a cycle; fetched: of the warps. */
static inline void tbc_group(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block, u32 fetched)
{
    const u32 start = ws_max(sm->now, sm->compactor_at);
    sm->compacted = slots_or(sm->compacted, block);
    tbc_compact(sm, lanes, block);
    const slot_set formed = slots_and(slots_ballot(&sm->lanes, lanes->threads), block);
    FOR_SLOTS_OF (slot, formed) {
        selectable_from(sm, lanes, slot, start + 1 + slots_count(slots_and(formed, slots_below(slot))));
        lanes->fetched[AT(slot)] = fetched;
    }
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, slots_first(block));
    if (slot_is(slot))
        lanes->block_live[AT(slot)] = slots_or(slots_minus(lanes->block_live[AT(slot)], block), formed);
    sm->live = slots_or(slots_minus(sm->live, block), formed);
    sm->starting = slots_or(sm->starting, formed);
    sm->compactor_at = start + slots_count(formed);
    count(sm, WS_COUNT_compactions, 1);
    count(sm, WS_COUNT_warps_formed, slots_count(formed));
}

/* All threads have exited: the static warps end. */
static inline void tbc_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set block)
{
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, slots_first(block));
    if (slot_is(slot))
        lanes->block_live[AT(slot)] = slots_or(lanes->block_live[AT(slot)], block);
    for (slot_set slots = block; slots_any(slots); slots = slots_rest(slots))
        warp_ends(sm, lanes, slots_first(slots));
}

/* All warps of a compaction block wait; warp is one of them. */
static inline void tbc_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, slot_set block)
{
    const u32 pc = slots_pick(&sm->lanes, lanes->pc, warp), outcome = slots_pick(&sm->lanes, lanes->outcome, warp);
    const u32 fetched = slots_pick(&sm->lanes, lanes->fetched, warp);
    u32 diverged = 0;
    FOR_SLOTS_OF (slot, block)
        lanes->pc[AT(slot)] = pc;
    if (outcome == TBC_BRANCH) {
        GLOBAL const struct ws_instruction *const branch = sm->program + pc;
        diverged = tbc_branch(sm, lanes, block, branch);
        if (sm->status != WS_STATUS_running)
            return;
    } else if (outcome == TBC_EXIT) {
        diverged = tbc_exit(sm, lanes, block);
    }
    const u32 popped = tbc_settle(sm, lanes, block);
    const slot_set go_on = slots_and(sm->waiting, block);
    sm->waiting = slots_minus(sm->waiting, block);
    if (!tbc_any(sm, lanes, block)) {
        tbc_ends(sm, lanes, block);
    } else if (diverged || popped != 0) {
        tbc_group(sm, lanes, block, fetched);
    } else {
        FOR_SLOTS_OF (slot, go_on)
            selectable_from(sm, lanes, slot, sm->now);
    }
}

#endif
