/* Returning threads form warps anew (docs/model.md 4.3; Fung 4.2). In the first lane. */
#ifndef WS_PATH_DWF_FORM_H
#define WS_PATH_DWF_FORM_H

#include "path/dwf/lut.h"

/* ---- Defined by the scheduler (schedule/pool/scheduler.h) ---- */

/* So many threads have joined the pool at a pc; a packet of so many has issued. */
static inline void pool_joins(PRIVATE struct sm *sm, u32 pc, u32 threads);

static inline void pool_leaves(PRIVATE struct sm *sm, u32 pc, u32 threads);

/* ---- Forming ---- */

/* Opens a dynamic warp at a pc, to be selected from a cycle on. */
static inline u32 form_open(PRIVATE const struct sm *sm, u32 pc, u32 at)
{
    const u32 n = dynamic_take(sm);
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, n);
    warp->pc = (u16)pc;
    warp->at = at;
    forming_add(sm, n);
    return n;
}

/* A thread joins a dynamic warp that forms. */
static inline void form_join(PRIVATE const struct sm *sm, u32 n, u32 place, u32 thread)
{
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, n);
    const u32 passed = sm_thread_passed(sm)[thread], least = sm->machine->dwf_passed == WS_dwf_passed_least;
    if (warp->mask == 0)
        warp->passed = passed;
    warp->passed = least ? ws_min(warp->passed, passed) : ws_max(warp->passed, passed);
    dynamic_place(sm, n, place, thread);
}

/* Threads in some lanes of a packet join a dynamic warp, in their lanes or in the lowest free places. Returns the lanes for whose
 * threads there is none. */
static inline u32 form_join_lanes(PRIVATE const struct sm *sm, u32 n, u32 packet, u32 lanes)
{
    const u32 aware = sm->machine->dwf_lanes == WS_dwf_lanes_aware;
    u32 free = ws_bits_below(sm->machine->core_warp_size) & ~dynamic_warp(sm, n)->mask, left = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const u32 lane = ws_ctz(lanes), place = aware ? lane : ws_ctz(free);
        if (free == 0 || !(free >> place & 1)) {
            left |= ws_bit(lane);
            continue;
        }
        form_join(sm, n, place, dynamic_threads(sm, packet)[lane]);
        free &= ~ws_bit(place);
    }
    return left;
}

/* The threads in some lanes of a packet, which are at one pc, are taken up. */
static inline void form_at(PRIVATE struct sm *sm, u32 packet, u32 lanes, u32 pc)
{
    const u32 found = lut_find(sm, pc);
    u32 left = lanes;
    if (found != WS_NO_WARP) {
        left = form_join_lanes(sm, found, packet, lanes);
        if (sm->machine->dwf_lanes == WS_dwf_lanes_aware)
            count(sm, WS_COUNT_lane_conflicts, ws_popcount(left));
    }
    if (left != 0) {
        const u32 opened = form_open(sm, pc, sm->now);
        form_join_lanes(sm, opened, packet, left);
        lut_point(sm, opened, found != WS_NO_WARP);
        count(sm, WS_COUNT_warps_formed, 1);
    }
    pool_joins(sm, pc, ws_popcount(lanes));
}

/* Lanes of a packet whose threads have a next pc. */
static inline u32 lanes_at(PRIVATE const struct sm *sm, u32 packet, u32 pc)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, packet);
    u32 at = 0;
    for (u32 lanes = dynamic_warp(sm, packet)->mask; lanes != 0; lanes &= lanes - 1)
        at |= (u32)(sm_thread_pc(sm)[threads[ws_ctz(lanes)]] == pc) << ws_ctz(lanes);
    return at;
}

/* Takes up at most two pcs of the packet that has returned first. */
static inline void form_update(PRIVATE struct sm *sm)
{
    GLOBAL struct ws_chain *returned = &sm_pool(sm)->returned;
    const u32 packet = returned->first;
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet);
    for (u32 pcs = 0; pcs < 2 && warp->mask != 0; ++pcs) {
        const u32 pc = sm_thread_pc(sm)[dynamic_threads(sm, packet)[ws_ctz(warp->mask)]], lanes = lanes_at(sm, packet, pc);
        form_at(sm, packet, lanes, pc);
        warp->mask &= ~lanes;
    }
    if (warp->mask == 0)
        dynamic_free(sm, chain_remove(sm, returned, WS_NO_WARP));
}

#endif
