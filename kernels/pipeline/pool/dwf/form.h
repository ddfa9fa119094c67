/* Returning threads form new warps (docs/model/divergence.md; Fung 4.2). First lane only. */
#ifndef WS_PIPELINE_POOL_DWF_FORM_H
#define WS_PIPELINE_POOL_DWF_FORM_H

#include "pipeline/pool/dwf/lut.h"
#include "pipeline/pool/threads.h"

/* ---- Defined by the scheduler (schedule/pool/scheduler.h) ---- */

/* So many threads have joined the pool at a pc; a packet of so many has issued. */
static inline void pool_joins(PRIVATE struct sm *sm, u32 pc, u32 threads);

static inline void pool_leaves(PRIVATE struct sm *sm, u32 pc, u32 threads);

/* Whether the scheduler uses the reconvergence points that threads have passed. */
static inline u32 pool_uses_passed(PRIVATE const struct sm *sm);

/* ---- Forming ---- */

/* Whether threads stay in their lanes. */
static inline u32 is_aware(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, dwf_lanes) == WS_dwf_lanes_aware;
}

/* Whether threads of a packet would keep their places in another packet that takes them one by one. */
static inline u32 keeps_places(PRIVATE const struct sm *sm, u32 places)
{
    return is_aware(sm) || (places & (places + 1)) == 0;
}

/* Reconvergence points that a dynamic warp has passed: those of one of its threads. */
static inline void form_passed(PRIVATE const struct sm *sm, u32 n)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, n);
    const u32 least = MACHINE(sm, dwf_passed) == WS_dwf_passed_least;
    u32 passed = least ? WS_NEVER : 0;
    if (!pool_uses_passed(sm))
        return;
    for (u32 lanes = dynamic_warp(sm, n)->mask; lanes != 0; lanes &= lanes - 1) {
        const u32 of_thread = sm_thread_passed(sm)[threads[ws_ctz(lanes)]];
        passed = least ? ws_min(passed, of_thread) : ws_max(passed, of_thread);
    }
    dynamic_warp(sm, n)->passed = passed;
}

/* A dynamic warp starts to form at a pc, selectable from a cycle on. */
static inline void form_begins(PRIVATE const struct sm *sm, u32 n, u32 pc, u32 at)
{
    dynamic_warp(sm, n)->pc = (u16)pc;
    dynamic_warp(sm, n)->at = at;
    forming_add(sm, n);
    form_passed(sm, n);
}

/* Threads in some lanes of a packet join a dynamic warp, in their lanes or in the lowest free places. Returns lanes whose threads
 * find no place. */
static inline u32 form_join(PRIVATE const struct sm *sm, u32 n, u32 packet, u32 lanes)
{
    u32 free = ws_bits_below(MACHINE(sm, core_warp_size)) & ~dynamic_warp(sm, n)->mask, left = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const u32 lane = ws_ctz(lanes), place = is_aware(sm) ? lane : ws_ctz(free);
        if (free == 0 || !(free >> place & 1)) {
            left |= ws_bit(lane);
            continue;
        }
        dynamic_place(sm, n, place, dynamic_threads(sm, packet)[lane]);
        free &= ~ws_bit(place);
    }
    return left;
}

/* Threads in some lanes of a packet form a dynamic warp of their own: the packet itself if they are all of its threads. */
static inline u32 form_diverged(PRIVATE const struct sm *sm, u32 packet, u32 lanes, u32 pc)
{
    const u32 all = lanes == dynamic_warp(sm, packet)->mask && keeps_places(sm, lanes), n = all ? packet : dynamic_take(sm);
    if (!all)
        form_join(sm, n, packet, lanes);
    form_begins(sm, n, pc, sm->now);
    return n;
}

/* Places the threads in some lanes of a packet, all at one pc. Returns whether the packet itself forms. */
static inline u32 form_at(PRIVATE struct sm *sm, u32 packet, u32 lanes, u32 pc)
{
    const u32 found = lut_find(sm, pc);
    u32 left = lanes, opened = WS_NO_WARP;
    if (found != WS_NO_WARP) {
        left = form_join(sm, found, packet, lanes);
        form_passed(sm, found);
        if (is_aware(sm))
            count(sm, WS_COUNT_lane_conflicts, ws_popcount(left));
    }
    if (left != 0) {
        opened = form_diverged(sm, packet, left, pc);
        lut_point(sm, opened, found != WS_NO_WARP);
        count(sm, WS_COUNT_warps_formed, 1);
    }
    pool_joins(sm, pc, ws_popcount(lanes));
    return opened == packet;
}

/* Next pc of the thread in a lane of a packet. */
static inline u32 form_pc(PRIVATE const struct sm *sm, u32 packet, u32 lane)
{
    return dynamic_warp(sm, packet)->apart ? sm_thread_pc(sm)[dynamic_threads(sm, packet)[lane]] : dynamic_warp(sm, packet)->pc;
}

/* Lanes of a packet whose threads have a next pc. */
static inline u32 lanes_at(PRIVATE const struct sm *sm, u32 packet, u32 pc)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, packet);
    u32 at = 0;
    if (!dynamic_warp(sm, packet)->apart)
        return dynamic_warp(sm, packet)->mask;
    for (u32 lanes = dynamic_warp(sm, packet)->mask; lanes != 0; lanes &= lanes - 1)
        at |= (u32)(sm_thread_pc(sm)[threads[ws_ctz(lanes)]] == pc) << ws_ctz(lanes);
    return at;
}

/* Places the threads of at most two pcs of the packet that returned first. */
static inline void form_update(PRIVATE struct sm *sm)
{
    GLOBAL struct ws_chain *returned = &sm_pool(sm)->returned;
    const u32 packet = returned->first;
    GLOBAL struct ws_dynamic_warp *warp = dynamic_warp(sm, packet);
    for (u32 pcs = 0; pcs < 2 && warp->mask != 0; ++pcs) {
        const u32 pc = form_pc(sm, packet, ws_ctz(warp->mask)), lanes = lanes_at(sm, packet, pc);
        if (form_at(sm, packet, lanes, pc)) {
            chain_remove(sm, returned, WS_NO_WARP);
            return;
        }
        warp->mask &= ~lanes;
    }
    if (warp->mask == 0)
        dynamic_free(sm, chain_remove(sm, returned, WS_NO_WARP));
}

#endif
