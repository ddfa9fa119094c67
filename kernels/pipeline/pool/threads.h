/* Threads of a pool, each with its own path (docs/model/divergence.md): shared by `dwf` and `mimd`. */
#ifndef WS_PIPELINE_POOL_THREADS_H
#define WS_PIPELINE_POOL_THREADS_H

#include "dispatch/barriers.h"
#include "path/reconvergence.h"
#include "path/streams.h"
#include "state/dynamic_warps.h"

/* ---- Defined by the unit; in the first lane ---- */

/* Home lane of the n-th thread of the warp in a slot. */
static inline u32 pooled_lane(PRIVATE const struct sm *sm, u32 warp, u32 n);

/* The threads of a warp that enters are ready from a cycle on. */
static inline void pooled_enter(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 cycle);

/* The line for which threads in some places of a packet waited has arrived: they return. Those of other packets for the line have
 * returned before, from packet `first` on (WS_NO_WARP: none). Returns the first packet of all. */
static inline u32 pooled_line(PRIVATE struct sm *sm, u32 packet, u32 places, u32 first);

/* A barrier releases a held packet. */
static inline void pooled_released(PRIVATE struct sm *sm, u32 n);

/* One or more packets have returned. Places as many of their threads as one cycle allows. */
static inline void pooled_returned(PRIVATE struct sm *sm);

/* ---- Slots ---- */

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    const u32 first = warp * MACHINE(sm, core_warp_size), image = slots_pick(&sm->lanes, lanes->first, warp);
    FOR_LANES (lane) {
        if (lane < threads) {
            sm_decisions(sm)[first + lane] = 0;
            sm_accesses(sm)[first + lane] = 0;
            sm_thread_image(sm)[first + lane] = image + lane;
            sm_thread_passed(sm)[first + lane] = 0;
            sm_thread_pc(sm)[first + lane] = 0;
            sm_home_lane(sm)[first + lane] = (u8)pooled_lane(sm, warp, lane);
        }
    }
    lanes_fence(&sm->lanes);
    if (lane_first()) {
        sm_warp_left(sm)[warp] = (u16)threads;
        sm_warp_held(sm)[warp] = 0;
        pooled_enter(sm, warp, threads, cycle);
    }
    lanes_fence(&sm->lanes);
    sm->changed |= cycle > sm->now ? CHANGED_STATE : 0;
}

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return slots_none();
}

static inline void path_wake(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
}

/* The threads that barriers of the warps in slots held return. */
static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    u32 queued = 0;
    if (!slots_any(slots))
        return slots;
    if (lane_first()) {
        GLOBAL struct ws_chain *holds = &sm_pool(sm)->holds;
        u32 before = WS_NO_WARP, n = holds->first;
        while (n != WS_NO_WARP) {
            const u32 next = dynamic_warp(sm, n)->next;
            if (slots_has(slots, home_warp(sm, dynamic_threads(sm, n)[ws_ctz(dynamic_warp(sm, n)->mask)]))) {
                chain_remove(sm, holds, before);
                pooled_released(sm, n);
            } else {
                before = n;
            }
            n = next;
        }
        for (slot_set left = slots; slots_any(left); left = slots_rest(left))
            sm_warp_held(sm)[slots_first(left)] = 0;
        queued = sm_pool(sm)->returned.first != WS_NO_WARP;
    }
    sm->queued = lanes_from_first(&sm->lanes, queued);
    sm->changed |= CHANGED_STATE;
    return slots_none();
}

/* ---- Packets ---- */

static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    GLOBAL const u16 *threads = dynamic_threads(sm, packet->slot);
    packet->threads.mask = mask;
    packet->threads.row = 0;
    FOR_LANES_OF (lane, mask) {
        packet->threads.slot[OF(lane)] = threads[lane];
        packet->threads.thread[OF(lane)] = sm_thread_image(sm)[threads[lane]];
    }
}

#endif
