/* The PC-warp LUT: for each pc the dynamic warp that threads join (docs/model/divergence.md; Fung 4.2, Figure 11). First lane
 * only. */
#ifndef WS_PIPELINE_POOL_DWF_LUT_H
#define WS_PIPELINE_POOL_DWF_LUT_H

#include "state/counts.h"
#include "state/dynamic_warps.h"

static inline u32 lut_ways(PRIVATE const struct sm *sm)
{
    return MACHINE(sm, dwf_lut) == 0 ? sm->plan->lut_entries : MACHINE(sm, dwf_lut_ways);
}

static inline GLOBAL struct ws_lut *lut_set(PRIVATE const struct sm *sm, u32 pc)
{
    return sm_lut(sm) + (pc & (sm->plan->lut_sets - 1)) * lut_ways(sm);
}

/* Moves an entry to the front; those before its way move one way back. */
static inline void lut_front(GLOBAL struct ws_lut *set, u32 way, u32 pc, u32 n)
{
    const struct ws_lut entry = {(u16)pc, (u16)(n + 1)};
    for (; way > 0; --way)
        set[way] = set[way - 1];
    set[0] = entry;
}

/* The dynamic warp to join at a pc, or WS_NO_WARP; touches the entry. */
static inline u32 lut_find(PRIVATE const struct sm *sm, u32 pc)
{
    GLOBAL struct ws_lut *set = lut_set(sm, pc);
    for (u32 way = 0; way < lut_ways(sm) && set[way].warp != 0; ++way) {
        if (set[way].pc == pc) {
            const u32 n = set[way].warp - 1u;
            lut_front(set, way, pc, n);
            return n;
        }
    }
    return WS_NO_WARP;
}

/* Threads join a new dynamic warp at its pc; found: it replaces the entry touched last. */
static inline void lut_point(PRIVATE struct sm *sm, u32 n, u32 found)
{
    const u32 pc = dynamic_warp(sm, n)->pc, ways = lut_ways(sm);
    GLOBAL struct ws_lut *set = lut_set(sm, pc);
    u32 way = 0;
    if (!found) {
        while (way < ways - 1 && set[way].warp != 0)
            ++way;
        count(sm, WS_COUNT_lut_evictions, set[way].warp != 0);
    }
    lut_front(set, way, pc, n);
}

/* A dynamic warp issues: no thread joins it any more. */
static inline void lut_invalidate(PRIVATE const struct sm *sm, u32 n)
{
    GLOBAL struct ws_lut *set = lut_set(sm, dynamic_warp(sm, n)->pc);
    const u32 ways = lut_ways(sm);
    const struct ws_lut none = {0, 0};
    u32 way = 0;
    while (way < ways && set[way].warp != 0 && set[way].warp != n + 1)
        ++way;
    if (way == ways || set[way].warp == 0)
        return;
    for (; way + 1 < ways && set[way + 1].warp != 0; ++way)
        set[way] = set[way + 1];
    set[way] = none;
}

#endif
