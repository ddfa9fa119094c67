/* The reconvergence stack of a large warp: the rules of docs/model/divergence.md on masks of rows. The warp's lane writes the
 * program counters of entries, a row's lane its masks. */
#ifndef WS_PATH_LWM_STACK_H
#define WS_PATH_LWM_STACK_H

#include "path/lwm/rows.h"

/* An entry: reconvergence pc << 16 | execute pc, then the mask of each row. */
static inline GLOBAL u32 *lwm_entry(PRIVATE const struct sm *sm, u32 warp, u32 level)
{
    return sm_entries(sm) + (warp * MACHINE(sm, divergence_stack_depth) + level) * (1 + PLAN(sm, rows));
}

/* Pushes an entry with the mask of each row. On overflow sets the job's status and writes nothing. */
static inline void lwm_push(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 reconverge, u32 execute,
                            PRIVATE const u32 *mask)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
    count(sm, WS_COUNT_stack_pushes, 1);
    count_most(sm, WS_COUNT_stack_deepest, depth + 1);
    if (depth >= MACHINE(sm, divergence_stack_depth)) {
        stack_overflows(sm, warp);
        return;
    }
    if (slot_is(warp)) {
        *lwm_entry(sm, warp, depth) = reconverge << 16 | execute;
        lanes->depth[AT(warp)] = depth + 1;
        lanes->reconverge_pc[AT(warp)] = reconverge;
    }
    GLOBAL u32 *kept = lwm_entry(sm, warp, depth) + 1;
    FOR_ROWS (sm, row)
        kept[row] = mask[OF(row)];
}

static inline void lwm_pop(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp) - 1;
    count(sm, WS_COUNT_stack_pops, 1);
    if (slot_is(warp)) {
        lanes->pc[AT(warp)] = *lwm_entry(sm, warp, depth) & 0xFFFFu;
        lanes->depth[AT(warp)] = depth;
        lanes->reconverge_pc[AT(warp)] = depth ? *lwm_entry(sm, warp, depth - 1) >> 16 : WS_NEVER;
    }
    GLOBAL const u32 *kept = lwm_entry(sm, warp, depth) + 1;
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    FOR_ROWS (sm, row)
        *row_of(rows, ROWS_ACTIVE, row) = kept[row];
}

/* Pops while the warp is at its reconvergence point or has no active thread; returns whether it has ended. */
static inline u32 lwm_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    while (!any_of(sm, warp, ROWS_ACTIVE) ||
           slots_pick(&sm->lanes, lanes->pc, warp) == slots_pick(&sm->lanes, lanes->reconverge_pc, warp)) {
        if (slots_pick(&sm->lanes, lanes->depth, warp) == 0)
            return 1;
        lwm_pop(sm, lanes, warp);
    }
    return 0;
}

/* The taken threads exit: they leave the warp's mask and all entries. */
static inline void lwm_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    FOR_ROWS (sm, row) {
        const u32 leaving = *row_of(rows, ROWS_TAKEN, row);
        for (u32 level = 0; level < depth; ++level)
            lwm_entry(sm, warp, level)[1 + row] &= ~leaving;
        *row_of(rows, ROWS_ACTIVE, row) &= ~leaving;
    }
    if (slot_is(warp))
        lanes->pc[AT(warp)] += 1;
}

/* Whether the highest active thread takes the branch: highest row, then highest lane. Called between two collectives. */
static inline u32 highest_goes(PRIVATE struct sm *sm, u32 warp)
{
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    u32 goes = 0, stays = 0;
    for (u32 row = 0; row < PLAN(sm, rows); ++row) {
        const u32 active = *row_of(rows, ROWS_ACTIVE, row), taken = *row_of(rows, ROWS_TAKEN, row);
        goes = active != 0 ? taken : goes;
        stays = active != 0 ? active & ~taken : stays;
    }
    return goes > stays;
}

/* The warp diverges: the taken threads go to the target. */
static inline void lwm_diverge(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                               GLOBAL const struct ws_instruction *branch)
{
    PER_LANE(u32, mask);
    PER_LANE(u32, other);
    const u32 join_pc = branch->reconverge, merge = MACHINE(sm, divergence_merge);
    const u32 taken_first = taken_runs_first(sm, highest_goes(sm, warp));
    const u32 next = slots_pick(&sm->lanes, lanes->pc, warp) + 1;
    const u32 other_pc = taken_first ? next : branch->target;
    const u32 joined = slots_pick(&sm->lanes, lanes->reconverge_pc, warp) == join_pc;
    GLOBAL struct ws_rows *rows = rows_of(sm, warp);
    FOR_ROWS (sm, row) {
        const u32 taken = *row_of(rows, ROWS_TAKEN, row);
        mask[OF(row)] = *row_of(rows, ROWS_ACTIVE, row);
        other[OF(row)] = taken_first ? mask[OF(row)] & ~taken : taken;
    }
    if (!(merge && joined))
        lwm_push(sm, lanes, warp, join_pc, join_pc, mask);
    if (!(merge && other_pc == join_pc))
        lwm_push(sm, lanes, warp, join_pc, other_pc, other);
    FOR_ROWS (sm, row)
        *row_of(rows, ROWS_ACTIVE, row) = mask[OF(row)] & ~other[OF(row)];
    if (slot_is(warp))
        lanes->pc[AT(warp)] = taken_first ? branch->target : next;
}

/* A conditional branch whose sub-warps have all completed. */
static inline void lwm_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                              GLOBAL const struct ws_instruction *branch)
{
    const u32 some_go = any_of(sm, warp, ROWS_TAKEN);
    const u32 some_stay = any_but(sm, warp, ROWS_ACTIVE, ROWS_TAKEN);
    const u32 diverged = some_go && some_stay;
    count(sm, diverged ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (diverged)
        lwm_diverge(sm, lanes, warp, branch);
    else if (slot_is(warp))
        lanes->pc[AT(warp)] = some_go ? branch->target : lanes->pc[AT(warp)] + 1;
}

#endif
