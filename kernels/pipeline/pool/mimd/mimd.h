/* `mimd`: one pc for each thread (docs/model/divergence.md; Fung 1). */
#ifndef WS_PIPELINE_POOL_MIMD_MIMD_H
#define WS_PIPELINE_POOL_MIMD_MIMD_H

#include "pipeline/pool/threads.h"

static inline u32 pooled_lane(PRIVATE const struct sm *sm, u32 warp, u32 n)
{
    return n;
}

static inline void pooled_enter(PRIVATE struct sm *sm, u32 warp, u32 threads, u32 cycle)
{
    sm_ready_threads(sm)[warp] = ws_bits_below(threads);
}

static inline u32 pooled_line(PRIVATE struct sm *sm, u32 packet, u32 places, u32 first)
{
    const u32 part = dynamic_split(sm, packet, places);
    dynamic_returns(sm, part);
    return first == WS_NO_WARP ? part : first;
}

static inline void pooled_released(PRIVATE struct sm *sm, u32 n)
{
    dynamic_returns(sm, n);
}

static inline void pooled_returned(PRIVATE struct sm *sm)
{
    GLOBAL struct ws_chain *returned = &sm_pool(sm)->returned;
    while (returned->first != WS_NO_WARP) {
        const u32 n = chain_remove(sm, returned, WS_NO_WARP);
        for (u32 lanes = dynamic_warp(sm, n)->mask; lanes != 0; lanes &= lanes - 1) {
            const u32 thread = dynamic_threads(sm, n)[ws_ctz(lanes)], warp = home_warp(sm, thread);
            sm_ready_threads(sm)[warp] |= ws_bit(thread - warp * MACHINE(sm, core_warp_size));
        }
        dynamic_free(sm, n);
    }
}

/* Ready threads of the warp in a slot. First lane only. */
static inline u32 mimd_ready(PRIVATE const struct sm *sm, u32 warp)
{
    return slots_has(sm->live, warp) && !slots_has(sm->entering, warp) ? sm_ready_threads(sm)[warp] : 0;
}

/* Fills a packet with ready threads, from a thread slot on. First lane only. */
static inline void mimd_gather(PRIVATE const struct sm *sm, u32 packet, u32 from)
{
    const u32 size = MACHINE(sm, core_warp_size), start = home_warp(sm, from), below = ws_bits_below(from - start * size);
    u32 place = 0;
    for (u32 n = 0; n <= MACHINE(sm, core_warps); ++n) {
        const u32 warp = start + n < MACHINE(sm, core_warps) ? start + n : start + n - MACHINE(sm, core_warps);
        const u32 part = n == 0 ? ~below : n == MACHINE(sm, core_warps) ? below : 0xFFFFFFFFu;
        for (u32 lanes = mimd_ready(sm, warp) & part; lanes != 0 && place < size; lanes &= lanes - 1)
            dynamic_place(sm, packet, place++, warp * size + ws_ctz(lanes));
    }
}

#endif
