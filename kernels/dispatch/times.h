/* Recorded times of blocks and warps, for jobs that request them (docs/model/dispatch.md, order.md). The first lane owns the
 * records. */
#ifndef WS_DISPATCH_TIMES_H
#define WS_DISPATCH_TIMES_H

#include "state/counts.h"

static inline GLOBAL struct ws_block_time *time_of_block(PRIVATE const struct sm *sm, u32 block)
{
    return sm_times(sm) + block;
}

static inline GLOBAL struct ws_warp_time *time_of_warp(PRIVATE const struct sm *sm, u32 block, u32 rank)
{
    GLOBAL struct ws_warp_time *warps = (GLOBAL struct ws_warp_time *)(sm_times(sm) + sm->job->blocks);
    return warps + (u64)block * sm->plan->warps_per_block + rank;
}

/* Number in its block of the warp in a slot. */
static inline u32 rank_of_warp(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block)
{
    const u32 thread = slots_pick(&sm->lanes, lanes->first, warp) - block * sm->job->groups_per_block * WS_LANES;
    return thread >> ws_ctz(MACHINE(sm, core_warp_size));
}

/* The n-th warp of the job enters a slot. */
static inline void time_warp_enters(PRIVATE struct sm *sm, u32 warp, u32 block, u32 rank, u32 fetched)
{
    if (!sm_has_times(sm))
        return;
    if (!lane_first()) /* two tests instead of ||: lane_first() is constant in form loop, which PoCL's compiler warns of */
        return;
    GLOBAL struct ws_warp_time *time = time_of_warp(sm, block, rank);
    time->entered = absolute_cycle(sm);
    time->l1_misses = time->constant_misses = time->texture_misses = 0;
    sm_issued(sm)[warp] = PATH_SPLITS ? 0 : 0u - fetched;
}

/* The warp in the slot issues one of the packets of an instruction. */
static inline void time_packet(PRIVATE struct sm *sm, u32 warp)
{
    if (PATH_SPLITS && sm_has_times(sm) && lane_first())
        sm_issued(sm)[warp] += 1;
}

/* The warp in the slot has loaded lines that miss in a cache. */
static inline void time_misses(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cache, u32 lines)
{
    if (PATH_REGROUPS || !sm_has_times(sm))
        return;
    const u32 slot = slots_pick(&sm->lanes, lanes->block_slot, warp), block = slots_pick(&sm->lanes, lanes->block, slot);
    const u32 rank = rank_of_warp(sm, lanes, warp, block);
    if (!lane_first())
        return;
    GLOBAL struct ws_warp_time *time = time_of_warp(sm, block, rank);
    if (cache == WS_CACHE_DATA)
        time->l1_misses += lines;
    else if (cache == WS_CACHE_CONSTANT)
        time->constant_misses += lines;
    else
        time->texture_misses += lines;
}

/* The warp in the slot has ended. */
static inline void time_warp_ends(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 block, u32 rank)
{
    if (!sm_has_times(sm))
        return;
    const u32 fetched = slots_pick(&sm->lanes, lanes->fetched, warp);
    if (!lane_first())
        return;
    GLOBAL struct ws_warp_time *time = time_of_warp(sm, block, rank);
    time->ended = absolute_cycle(sm);
    time->packets = PATH_REGROUPS ? 0 : sm_issued(sm)[warp] + (PATH_SPLITS ? 0 : fetched);
}

#endif
