/* Compaction blocks: outcomes of branches, the stack, and the compactor (docs/model.md 4.1). Where a function names no lane, a
 * compaction block is the mask of its slots; its first slot's lane stands for it. */
#ifndef WS_DIVERGENCE_TBC_BLOCK_H
#define WS_DIVERGENCE_TBC_BLOCK_H

#include "divergence/narrow.h"

/* Of a compacted warp: which static warp of its compaction block the thread in a lane is of. Read and written by that lane. */
static inline GLOBAL u8 *row_of_thread(PRIVATE const struct sm *sm, u32 warp, u32 lane)
{
    return (GLOBAL u8 *)sm_columns(sm) + warp * WS_LANES + lane;
}

/* Slots of the compaction block of a warp that enters: consecutive, as the blocks of a job are alike and leave as a whole. */
static inline u32 slots_together(PRIVATE const struct sm *sm, u32 warp, u32 first_thread)
{
    const u32 size = sm->machine->core_warp_size;
    const u32 rank = first_thread % (sm->job->groups_per_block * WS_LANES) / size;
    const u32 member = rank % (sm->machine->divergence_compaction_block / size);
    const u32 members = ws_min(sm->machine->divergence_compaction_block / size, sm->plan->warps_per_block - (rank - member));
    return ws_bits_below(members) << (warp - member);
}

/* The warp waits for its compaction block from a cycle on: in the warp's lane. */
static inline void warp_meets(PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle)
{
    (void)warp;
    lanes->event[OF(warp)] = EVENT_MEETS;
    lanes->warp_event_at[OF(warp)] = cycle;
    lanes->ready_at[OF(warp)] = WS_NEVER;
}

/* Keeps a warp's branch outcomes, a bit a lane, with the static warps of its threads. */
static inline void tbc_outcomes(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, PRIVATE const u32 *bits)
{
    PER_LANE(u32, rows);
    PER_LANE(u32, taken);
    const u32 all = lanes_ballot(&sm->lanes, bits);
    if (all == 0)
        return;
    if (!(sm->compacted >> warp & 1)) {
        if (lane_is(warp))
            lanes->taken[OF(warp)] = all;
        return;
    }
    const u32 mates = lanes_pick(&sm->lanes, lanes->block_mates, warp), home = ws_ctz(mates);
    FOR_LANES (lane)
        rows[OF(lane)] = bits[OF(lane)] << *row_of_thread(sm, warp, lane);
    for (u32 slots = mates; slots != 0; slots &= slots - 1) {
        const u32 slot = ws_ctz(slots);
        FOR_LANES (lane)
            taken[OF(lane)] = rows[OF(lane)] >> (slot - home) & 1;
        const u32 row = lanes_ballot(&sm->lanes, taken);
        if (lane_is(slot))
            lanes->taken[OF(slot)] |= row;
    }
}

/* Whether a thread of the group is left. */
static inline u32 tbc_any(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    return (lanes_ballot(&sm->lanes, lanes->mask) & block) != 0;
}

/* A conditional branch; returns whether the group parted. */
static inline u32 tbc_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block,
                             PRIVATE const struct ws_instruction *branch)
{
    PER_LANE(u32, go);
    PER_LANE(u32, stay);
    const u32 home = ws_ctz(block);
    const u32 before = lanes_pick(&sm->lanes, lanes->depth, home);
    FOR_LANES (lane) {
        go[OF(lane)] = lanes->taken[OF(lane)];
        stay[OF(lane)] = lanes->mask[OF(lane)] & ~lanes->taken[OF(lane)];
    }
    const u32 some_go = lanes_ballot(&sm->lanes, go) & block, some_stay = lanes_ballot(&sm->lanes, stay) & block;
    const u32 parted = some_go && some_stay;
    count(sm, parted ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    FOR_LANES (lane) {
        if (block >> lane & 1) {
            if (parted)
                pdom_part(sm, lanes, lane, branch, lanes->taken[OF(lane)]);
            else
                lanes->pc[OF(lane)] = some_go ? branch->target : lanes->pc[OF(lane)] + 1;
            lanes->taken[OF(lane)] = 0;
        }
    }
    const u32 depth = lanes_pick(&sm->lanes, lanes->depth, home);
    count(sm, WS_COUNT_stack_pushes, depth - before);
    sm->deepest = ws_max(sm->deepest, depth);
    if (depth > sm->machine->divergence_stack_depth)
        sm->status = WS_STATUS_stack_overflow;
    return parted;
}

/* The group's threads leave: its mask and all entries. */
static inline void tbc_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    FOR_LANES (lane)
        if (block >> lane & 1)
            pdom_leave(sm, lanes, lane);
}

/* Pops while the group is at its reconvergence point, or has no thread left; returns the number of entries. */
static inline u32 tbc_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    const u32 home = ws_ctz(block), before = lanes_pick(&sm->lanes, lanes->depth, home);
    u32 depth = before;
    while (depth != 0 &&
           (!tbc_any(sm, lanes, block) || lanes_pick(&sm->lanes, lanes->pc, home) == lanes_pick(&sm->lanes, lanes->meets, home))) {
        FOR_LANES (lane)
            if (block >> lane & 1)
                pdom_pop(sm, lanes, lane);
        --depth;
    }
    count(sm, WS_COUNT_stack_pops, before - depth);
    return before - depth;
}

/* Compacts the group: every lane gives its threads to the warps in order. */
static inline void tbc_compact(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    PER_LANE(u32, rows);
    PER_LANE(u32, member);
    const u32 home = ws_ctz(block);
    FOR_LANES (lane)
        rows[OF(lane)] = 0;
    for (u32 slots = block; slots != 0; slots &= slots - 1) {
        const u32 slot = ws_ctz(slots), mask = lanes_pick(&sm->lanes, lanes->mask, slot);
        FOR_LANES (lane)
            rows[OF(lane)] |= (mask >> lane & 1) << (slot - home);
    }
    for (u32 slots = block; slots != 0; slots &= slots - 1) {
        const u32 slot = ws_ctz(slots);
        FOR_LANES (lane) {
            member[OF(lane)] = rows[OF(lane)] != 0;
            *row_of_thread(sm, slot, lane) = (u8)(ws_ctz(rows[OF(lane)] | 0x80000000u));
            rows[OF(lane)] &= rows[OF(lane)] - 1;
        }
        const u32 members = lanes_ballot(&sm->lanes, member);
        if (lane_is(slot))
            lanes->threads[OF(slot)] = members;
    }
}

/* Groups the threads anew and lets the compactor form their warps, one a cycle; fetched: n of the warps. */
static inline void tbc_group(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block, u32 fetched)
{
    const u32 start = ws_max(sm->now, sm->compactor_at);
    if (lanes_pick(&sm->lanes, lanes->depth, ws_ctz(block)) == 0) {
        sm->compacted &= ~block;
        FOR_LANES (lane)
            if (block >> lane & 1)
                lanes->threads[OF(lane)] = lanes->mask[OF(lane)];
    } else {
        sm->compacted |= block;
        tbc_compact(sm, lanes, block);
    }
    const u32 formed = lanes_ballot(&sm->lanes, lanes->threads) & block;
    FOR_LANES (lane) {
        if (formed >> lane & 1) {
            lanes->ready_at[OF(lane)] = start + 1 + ws_popcount(formed & ws_bits_below(lane));
            lanes->fetched[OF(lane)] = fetched;
        }
    }
    const u32 slot = lanes_pick(&sm->lanes, lanes->block_slot, ws_ctz(block));
    if (lane_is(slot))
        lanes->block_live[OF(slot)] = (lanes->block_live[OF(slot)] & ~block) | formed;
    sm->live = (sm->live & ~block) | formed;
    sm->starting |= formed;
    sm->compactor_at = start + ws_popcount(formed);
    count(sm, WS_COUNT_compactions, 1);
    count(sm, WS_COUNT_warps_formed, ws_popcount(formed));
}

/* All threads have left: the static warps end. */
static inline void tbc_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    const u32 slot = lanes_pick(&sm->lanes, lanes->block_slot, ws_ctz(block));
    if (lane_is(slot))
        lanes->block_live[OF(slot)] |= block;
    for (u32 slots = block; slots != 0; slots &= slots - 1)
        warp_ends(sm, lanes, ws_ctz(slots));
}

/* All warps of a compaction block wait; warp is one of them. */
static inline void tbc_advance(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block)
{
    const u32 pc = lanes_pick(&sm->lanes, lanes->pc, warp), event = lanes_pick(&sm->lanes, lanes->event, warp);
    const u32 fetched = lanes_pick(&sm->lanes, lanes->fetched, warp);
    u32 parted = 0;
    FOR_LANES (lane)
        if (block >> lane & 1)
            lanes->pc[OF(lane)] = pc;
    if (event == EVENT_BRANCH) {
        const struct ws_instruction branch = sm->program[pc];
        parted = tbc_branch(sm, lanes, block, &branch);
        if (sm->status != WS_STATUS_running)
            return;
    } else if (event == EVENT_EXIT) {
        tbc_exit(sm, lanes, block);
    }
    const u32 popped = tbc_settle(sm, lanes, block);
    const u32 go_on = sm->waiting & block;
    sm->waiting &= ~block;
    if (!tbc_any(sm, lanes, block)) {
        tbc_ends(sm, lanes, block);
    } else if (parted || popped != 0) {
        tbc_group(sm, lanes, block, fetched);
    } else {
        FOR_LANES (lane)
            if (go_on >> lane & 1)
                lanes->ready_at[OF(lane)] = sm->now;
    }
}

#endif
