/* `pro`: progress-aware scheduling (docs/model/schedulers.md; Anantpur III). State of a block is kept with its block slot. */
#ifndef WS_SCHEDULE_PRO_H
#define WS_SCHEDULE_PRO_H

#include "schedule/ports.h"

/* States of blocks, highest priority first. The slow phase has only STATE_BARRIER and STATE_NONE: barrierWait1, finishNoWait. */
enum { STATE_FINISH, STATE_BARRIER, STATE_NONE };

/* The state that follows from a block's counts. Runs in the block slot's lane. */
static inline u32 state_by_counts(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 block)
{
    if (!sm->slow && MACHINE(sm, pro_finish) && lanes->block_ended[AT(block)] != 0)
        return STATE_FINISH;
    return MACHINE(sm, pro_barrier) && lanes->block_waiting[AT(block)] != 0 ? STATE_BARRIER : STATE_NONE;
}

/* ---- Orders ---- */

/* Ranks the warps of a block by their progress when they were ordered last; ties by their order in the block. */
static inline void rank_warps(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    PER_SLOT(u32, rank);
    const slot_set warps = slots_pick_set(&sm->lanes, lanes->block_slots, block);
    const u32 flip = slots_pick(&sm->lanes, lanes->most_first, block) ? WS_NEVER : 0; /* complement: more becomes less */
    FOR_SLOTS (slot)
        rank[AT(slot)] = 0;
    for (slot_set others = warps; slots_any(others); others = slots_rest(others)) {
        const u32 other = slots_first(others), progress = slots_pick(&sm->lanes, lanes->ordered, other) ^ flip;
        const u32 first = slots_pick(&sm->lanes, lanes->first, other);
        FOR_SLOTS (slot) {
            const u32 mine = lanes->ordered[AT(slot)] ^ flip;
            rank[AT(slot)] += progress < mine || (progress == mine && first < lanes->first[AT(slot)]);
        }
    }
    FOR_SLOTS (slot)
        if (slots_has(warps, slot))
            lanes->warp_rank[AT(slot)] = rank[AT(slot)];
}

/* Orders the warps of a block by their progress. */
static inline void order_warps(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block, u32 least_first)
{
    const slot_set warps = slots_pick_set(&sm->lanes, lanes->block_slots, block);
    FOR_SLOTS (slot)
        if (slots_has(warps, slot))
            lanes->ordered[AT(slot)] = lanes->progress[AT(slot)];
    if (slot_is(block))
        lanes->most_first[AT(block)] = !least_first;
    rank_warps(sm, lanes, block);
}

/* Sort key of a block inside its state, lower first: two numbers. Runs in the block slot's lane. */
static inline void block_key(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 block, PRIVATE u32 *first,
                             PRIVATE u32 *second)
{
    const u32 state = lanes->block_state[AT(block)];
    *first = ~(state == STATE_FINISH ? lanes->block_ended[AT(block)] : lanes->block_waiting[AT(block)]);
    *second = ~(state == STATE_FINISH ? lanes->block_at_end[AT(block)] : lanes->block_at_arrival[AT(block)]);
    if (state == STATE_NONE) {
        *first = 0;
        *second = sm->least_first ? lanes->block_sorted[AT(block)] : ~lanes->block_sorted[AT(block)];
    }
}

/* Iterates over all block slots. In form loop the others are left out. */
#ifdef WS_LANES_LOOP
#define FOR_BLOCK_SLOTS(slot) for (u32 slot = 0; slot < sm->plan->resident_blocks; ++slot)
#else
#define FOR_BLOCK_SLOTS(slot) FOR_SLOTS (slot)
#endif

/* Orders all warps: by state, block, and rank in the block. */
static inline void order_now(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    PER_SLOT(u32, first);
    PER_SLOT(u32, second);
    const slot_set blocks = sm->resident;
    FOR_BLOCK_SLOTS(slot)
    {
        lanes->block_rank[AT(slot)] = 0;
        block_key(sm, lanes, slot, &first[AT(slot)], &second[AT(slot)]);
    }
    for (slot_set others = blocks; slots_any(others); others = slots_rest(others)) {
        const u32 other = slots_first(others), state = slots_pick(&sm->lanes, lanes->block_state, other);
        const u32 one = slots_pick(&sm->lanes, first, other), two = slots_pick(&sm->lanes, second, other);
        const u32 number = slots_pick(&sm->lanes, lanes->block, other);
        FOR_BLOCK_SLOTS(slot)
        {
            const u32 mine = lanes->block_state[AT(slot)];
            const u32 tie =
                first[AT(slot)] == one && (second[AT(slot)] > two || (second[AT(slot)] == two && lanes->block[AT(slot)] > number));
            lanes->block_rank[AT(slot)] += state < mine || (state == mine && (one < first[AT(slot)] || tie));
        }
    }
    for (slot_set left = blocks; slots_any(left); left = slots_rest(left)) {
        const u32 block = slots_first(left), order = slots_pick(&sm->lanes, lanes->block_rank, block) * WS_SLOTS;
        const slot_set warps = slots_pick_set(&sm->lanes, lanes->block_slots, block);
        FOR_SLOTS_OF (slot, warps)
            lanes->warp_order[AT(slot)] = order + lanes->warp_rank[AT(slot)];
    }
}

/* The order of all warps has changed. In form loop it is computed when it is next used. */
static inline void order_all(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#ifdef WS_LANES_LOOP
    sm->due.order = 1;
#else
    order_now(sm, lanes);
#endif
}

/* The order is about to be used. */
static inline void order_needed(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
#ifdef WS_LANES_LOOP
    if (sm->due.order)
        order_now(sm, lanes);
    sm->due.order = 0;
#endif
}

/* The first of some warps in that order. */
static inline u32 pro_choose(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set ready)
{
    if (LANE_COPIES > 1 && slots_alone(ready))
        return slots_first(ready);
    order_needed(sm, lanes);
    return slots_least_of(&sm->lanes, ready, lanes->warp_order);
}

/* Records the order of the blocks. */
static inline void record_order(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    u32 place = 0;
    if (!is_recorded(sm, WS_EVENT_order))
        return;
    order_needed(sm, lanes);
    for (slot_set left = sm->resident; slots_any(left);) {
        const u32 slot = slots_least_of(&sm->lanes, left, lanes->block_rank);
        record_block(sm, WS_EVENT_order, slots_pick(&sm->lanes, lanes->block, slot), place++);
        left = slots_without(left, slot);
    }
}

/* The periodic sort, also at the change of phase: all blocks by progress; warps of blocks that do not wait, or of all. */
static inline void sort(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 all)
{
    const slot_set blocks = sm->resident;
    sm->least_first = sm->slow;
    FOR_SLOTS (slot)
        lanes->block_sorted[AT(slot)] = lanes->block_progress[AT(slot)];
    for (slot_set left = blocks; slots_any(left); left = slots_rest(left)) {
        const u32 block = slots_first(left);
        if (all || slots_pick(&sm->lanes, lanes->block_state, block) == STATE_NONE)
            order_warps(sm, lanes, block, sm->slow);
    }
}

/* ---- Events ---- */

/* A block enters a state. */
static inline void block_comes_to(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block, u32 state)
{
    if (slots_pick(&sm->lanes, lanes->block_state, block) == state)
        return;
    if (slot_is(block))
        lanes->block_state[AT(block)] = state;
    if (state != STATE_NONE)
        order_warps(sm, lanes, block, 1);
}

/* A block's counts have changed: updates its state, where that follows from counts. */
static inline void block_counts(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    PER_SLOT(u32, state);
    if (MACHINE(sm, pro_states) != WS_pro_states_counts)
        return;
    if (slot_is(block))
        state[AT(block)] = state_by_counts(sm, lanes, block);
    block_comes_to(sm, lanes, block, slots_pick(&sm->lanes, state, block));
}

static inline void warps_enter_order(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set warps)
{
    FOR_SLOTS (slot)
        if (slots_has(warps, slot))
            lanes->progress[AT(slot)] = lanes->ordered[AT(slot)] = 0;
}

static inline void block_enters_order(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block)
{
    const slot_set warps = slots_pick_set(&sm->lanes, lanes->block_slots, block);
    if (slot_is(block)) {
        lanes->block_progress[AT(block)] = lanes->block_sorted[AT(block)] = 0;
        lanes->block_at_end[AT(block)] = lanes->block_at_arrival[AT(block)] = 0;
        lanes->block_ended[AT(block)] = lanes->block_waiting[AT(block)] = 0;
        lanes->block_state[AT(block)] = STATE_NONE;
    }
    warps_enter_order(sm, lanes, warps);
    rank_warps(sm, lanes, block);
}

static inline void warp_has_ended(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block_slot, warp);
    const u32 first = slots_pick(&sm->lanes, lanes->block_ended, block) == 0;
    if (slot_is(block))
        lanes->block_ended[AT(block)] += 1;
    if (first && MACHINE(sm, pro_states) == WS_pro_states_last_event && MACHINE(sm, pro_finish) && !sm->slow)
        block_comes_to(sm, lanes, block, STATE_FINISH);
    block_counts(sm, lanes, block);
    if (first && sm->slow)
        order_warps(sm, lanes, block, 1);
    FOR_SLOTS (slot)
        lanes->block_at_end[AT(slot)] = lanes->block_progress[AT(slot)];
}

static inline void warp_has_arrived(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block_slot, warp);
    const u32 first = slots_pick(&sm->lanes, lanes->block_waiting, block) == 0;
    if (slot_is(block))
        lanes->block_waiting[AT(block)] += 1;
    if (first && MACHINE(sm, pro_states) == WS_pro_states_last_event && MACHINE(sm, pro_barrier))
        block_comes_to(sm, lanes, block, STATE_BARRIER);
    block_counts(sm, lanes, block);
    FOR_SLOTS (slot)
        lanes->block_at_arrival[AT(slot)] = lanes->block_progress[AT(slot)];
}

/* Barriers have released so many of a block's warps. */
static inline void block_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 block, u32 warps)
{
    const u32 before = slots_pick(&sm->lanes, lanes->block_state, block);
    if (slot_is(block))
        lanes->block_waiting[AT(block)] -= warps;
    if (MACHINE(sm, pro_states) == WS_pro_states_last_event && MACHINE(sm, pro_barrier))
        block_comes_to(sm, lanes, block, STATE_NONE);
    block_counts(sm, lanes, block);
    const u32 now = slots_pick(&sm->lanes, lanes->block_state, block);
    if (MACHINE(sm, pro_release) == WS_pro_release_sort && before != now && now == STATE_NONE)
        order_warps(sm, lanes, block, sm->slow);
}

static inline void pro_events(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const slot_set any = slots_or(slots_or(slots_or(sm->ended, sm->arrived), slots_or(sm->released, sm->entered)), sm->joined);
    if (!slots_any(any))
        return;
    for (slot_set warps = sm->ended; slots_any(warps); warps = slots_rest(warps))
        warp_has_ended(sm, lanes, slots_first(warps));
    for (slot_set warps = sm->arrived; slots_any(warps); warps = slots_rest(warps))
        warp_has_arrived(sm, lanes, slots_first(warps));
    for (slot_set warps = sm->released; slots_any(warps);) {
        const u32 block = slots_pick(&sm->lanes, lanes->block_slot, slots_first(warps));
        const slot_set all = slots_pick_set(&sm->lanes, lanes->block_slots, block);
        block_released(sm, lanes, block, slots_count(slots_and(warps, all)));
        warps = slots_minus(warps, all);
    }
    for (slot_set blocks = sm->entered; slots_any(blocks); blocks = slots_rest(blocks))
        block_enters_order(sm, lanes, slots_first(blocks));
    warps_enter_order(sm, lanes, sm->joined);
    for (slot_set warps = sm->joined; slots_any(warps); warps = slots_rest(warps))
        rank_warps(sm, lanes, slots_pick(&sm->lanes, lanes->block_slot, slots_first(warps)));
    order_all(sm, lanes);
}

/* The slow phase begins: states of the fast phase end. */
static inline void slow_begins(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    sm->slow = 1;
    for (slot_set left = sm->resident; slots_any(left); left = slots_rest(left)) {
        const u32 block = slots_first(left);
        if (slots_pick(&sm->lanes, lanes->block_state, block) == STATE_FINISH)
            block_comes_to(sm, lanes, block, STATE_NONE);
        block_counts(sm, lanes, block);
    }
}

static inline u32 pro_next(PRIVATE const struct sm *sm)
{
    return sm->sort_at;
}

static inline void pro_tick(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    const u32 flips = !sm->slow && sm->blocks_entered == sm->job->blocks;
    if (sm->sort_at == 0)
        sm->sort_at = sm->now + MACHINE(sm, pro_threshold);
    if (flips)
        slow_begins(sm, lanes);
    const u32 at_once = flips && MACHINE(sm, pro_flip) == WS_pro_flip_sort;
    const u32 sorts = sm->now >= sm->sort_at || at_once;
    if (sorts)
        sort(sm, lanes, at_once);
    if (sm->now >= sm->sort_at)
        sm->sort_at += MACHINE(sm, pro_threshold);
    if (flips || at_once || sm->sort_at == sm->now + MACHINE(sm, pro_threshold))
        order_all(sm, lanes);
    if (sorts)
        record_order(sm, lanes);
}

/* ---- Progress ---- */

static inline void pro_issued(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct issued *issued)
{
    const u32 block = slots_pick(&sm->lanes, lanes->block_slot, issued->slot), measure = MACHINE(sm, pro_progress);
    const u32 progress = measure == WS_pro_progress_threads    ? issued->threads
                         : measure == WS_pro_progress_executed ? issued->effective
                                                               : issued->issues;
    if (slot_is(issued->slot))
        lanes->progress[AT(issued->slot)] += progress;
    if (slot_is(block))
        lanes->block_progress[AT(block)] += progress;
}

#endif
