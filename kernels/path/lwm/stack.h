/* The reconvergence stack of a large warp: the rules of docs/model.md 3 on masks of columns. Program counters of a warp's entries
 * are written by the warp's lane, masks by their columns' lanes. */
#ifndef WS_PATH_LWM_STACK_H
#define WS_PATH_LWM_STACK_H

#include "path/lwm/columns.h"

/* Reconvergence pc << 16 | execute pc of an entry. */
static inline GLOBAL u32 *lwm_entry(PRIVATE const struct sm *sm, u32 warp, u32 level)
{
    return sm_entries(sm) + warp * sm->machine->divergence_stack_depth + level;
}

static inline GLOBAL u16 *lwm_entry_column(PRIVATE const struct sm *sm, u32 warp, u32 level, u32 lane)
{
    return sm_entry_columns(sm) + (warp * sm->machine->divergence_stack_depth + level) * WS_LANES + lane;
}

/* Pushes an entry with a mask of columns, in all lanes. Too deep: the job's status, and nothing is written. */
static inline void lwm_push(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 reconverge, u32 execute,
                            PRIVATE const u32 *mask)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
    count(sm, WS_COUNT_stack_pushes, 1);
    count_most(sm, WS_COUNT_stack_deepest, depth + 1);
    if (depth >= sm->machine->divergence_stack_depth) {
        sm->status = WS_STATUS_stack_overflow;
        return;
    }
    if (slot_is(warp)) {
        *lwm_entry(sm, warp, depth) = reconverge << 16 | execute;
        lanes->depth[AT(warp)] = depth + 1;
        lanes->meets[AT(warp)] = reconverge;
    }
    FOR_LANES (lane)
        *lwm_entry_column(sm, warp, depth, lane) = (u16)mask[OF(lane)];
}

static inline void lwm_pop(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp) - 1;
    count(sm, WS_COUNT_stack_pops, 1);
    if (slot_is(warp)) {
        lanes->pc[AT(warp)] = *lwm_entry(sm, warp, depth) & 0xFFFFu;
        lanes->depth[AT(warp)] = depth;
        lanes->meets[AT(warp)] = depth ? *lwm_entry(sm, warp, depth - 1) >> 16 : WS_NEVER;
    }
    FOR_LANES (lane)
        *column(sm, COLUMN_ACTIVE, warp, lane) = *lwm_entry_column(sm, warp, depth, lane);
}

/* Pops while the warp is at its reconvergence point, or has no thread left; returns whether it has ended. */
static inline u32 lwm_settle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    while (!any_of(sm, warp, COLUMN_ACTIVE) ||
           slots_pick(&sm->lanes, lanes->pc, warp) == slots_pick(&sm->lanes, lanes->meets, warp)) {
        if (slots_pick(&sm->lanes, lanes->depth, warp) == 0)
            return 1;
        lwm_pop(sm, lanes, warp);
    }
    return 0;
}

/* The active threads leave the warp: its mask and all entries. */
static inline void lwm_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
    FOR_LANES (lane) {
        const u32 leaving = *column(sm, COLUMN_ACTIVE, warp, lane);
        for (u32 level = 0; level < depth; ++level)
            *lwm_entry_column(sm, warp, level, lane) &= (u16)~leaving;
        *column(sm, COLUMN_ACTIVE, warp, lane) = 0;
    }
}

/* Whether the highest active thread goes to the target: that in the highest row, there in the highest lane. */
static inline u32 highest_goes(PRIVATE struct sm *sm, u32 warp)
{
    PER_LANE(u32, below);
    PER_LANE(u32, goes);
    PER_LANE(u32, stays);
    FOR_LANES (lane)
        below[OF(lane)] = ws_clz(*column(sm, COLUMN_ACTIVE, warp, lane));
    const u32 row = ws_bit(31 - lanes_least(&sm->lanes, below));
    FOR_LANES (lane) {
        goes[OF(lane)] = *column(sm, COLUMN_TAKEN, warp, lane) & row;
        stays[OF(lane)] = *column(sm, COLUMN_ACTIVE, warp, lane) & row & ~goes[OF(lane)];
    }
    return lanes_ballot(&sm->lanes, goes) > lanes_ballot(&sm->lanes, stays);
}

/* The warp's threads part: those in the taken columns go to the target. */
static inline void lwm_part(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                            PRIVATE const struct ws_instruction *branch)
{
    PER_LANE(u32, mask);
    PER_LANE(u32, other);
    const u32 meets = branch->reconverge, merge = sm->machine->divergence_merge;
    const u32 taken_first = taken_runs_first(sm, highest_goes(sm, warp));
    const u32 next = slots_pick(&sm->lanes, lanes->pc, warp) + 1;
    const u32 other_pc = taken_first ? next : branch->target;
    const u32 joined = slots_pick(&sm->lanes, lanes->meets, warp) == meets;
    FOR_LANES (lane) {
        const u32 taken = *column(sm, COLUMN_TAKEN, warp, lane);
        mask[OF(lane)] = *column(sm, COLUMN_ACTIVE, warp, lane);
        other[OF(lane)] = taken_first ? mask[OF(lane)] & ~taken : taken;
    }
    if (!(merge && joined))
        lwm_push(sm, lanes, warp, meets, meets, mask);
    if (!(merge && other_pc == meets))
        lwm_push(sm, lanes, warp, meets, other_pc, other);
    FOR_LANES (lane)
        *column(sm, COLUMN_ACTIVE, warp, lane) = (u16)(mask[OF(lane)] & ~other[OF(lane)]);
    if (slot_is(warp))
        lanes->pc[AT(warp)] = taken_first ? branch->target : next;
}

/* A conditional branch all of whose sub-warps have completed. */
static inline void lwm_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                              PRIVATE const struct ws_instruction *branch)
{
    const u32 some_go = any_of(sm, warp, COLUMN_TAKEN);
    const u32 some_stay = any_but(sm, warp, COLUMN_ACTIVE, COLUMN_TAKEN);
    const u32 parted = some_go && some_stay;
    count(sm, parted ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (parted)
        lwm_part(sm, lanes, warp, branch);
    else if (slot_is(warp))
        lanes->pc[AT(warp)] = some_go ? branch->target : lanes->pc[AT(warp)] + 1;
}

#endif
