/* Slots in use over time, and RTRU (docs/model/order.md). A sum over cycles is the sum of end cycles minus the sum of start cycles,
 * relative to the start of the quantum; uses_close adds what is still in use. */
#ifndef WS_DISPATCH_USES_H
#define WS_DISPATCH_USES_H

#include "state/counts.h"

/* Defined by the way of dispatch: warps of a partial block that wait for a place. */
static inline u32 unissued_warps(PRIVATE const struct sm *sm);

/* A warp has entered a slot of its block. */
static inline void use_begins(PRIVATE struct sm *sm, u32 warp)
{
    sm->warps += 1;
    count(sm, WS_COUNT_resident_warps, 0u - cycles_so_far(sm));
    count(sm, WS_COUNT_held_warps, 0u - cycles_so_far(sm));
    if (lane_first())
        sm_entered_at(sm)[warp] = absolute_cycle(sm);
}

/* The warp in the slot has ended. In pipelines with a stage that retires warps, it is resident in this cycle, too. */
static inline void use_ends(PRIVATE struct sm *sm, u32 warp, u32 block_slot)
{
    sm->warps -= 1;
    count(sm, WS_COUNT_resident_warps, cycles_so_far(sm) + WARPS_RETIRE);
    if (lane_first()) {
        GLOBAL struct ws_lives *lives = sm_lives(sm) + block_slot;
        const u64 life = absolute_cycle(sm) - sm_entered_at(sm)[warp];
        lives->sum += life;
        lives->longest = lives->longest > life ? lives->longest : life;
    }
}

/* Slots have been returned. */
static inline void count_slots_back(PRIVATE struct sm *sm, u32 slots)
{
    count(sm, WS_COUNT_held_warps, slots * cycles_so_far(sm));
}

/* More warps wait for a place. */
static inline void count_unissued(PRIVATE struct sm *sm, u32 warps)
{
    count(sm, WS_COUNT_unissued_warps, 0u - warps * cycles_so_far(sm));
}

/* Called at the end of the quantum. First lane only. */
static inline void uses_close(PRIVATE struct sm *sm)
{
    count(sm, WS_COUNT_resident_warps, sm->warps * cycles_so_far(sm));
    count_slots_back(sm, slots_count(sm->occupied));
    count(sm, WS_COUNT_unissued_warps, unissued_warps(sm) * cycles_so_far(sm));
}

/* 4096 x log2(q), q > 0 (rule rtru.log). */
static inline u32 logarithm(u32 q)
{
    const u32 place = 31 - ws_clz(q);
    u64 x = (u64)q << (31 - place);
    u32 fraction = 0;
    for (u32 n = 0; n < 12; ++n) {
        x = x * x >> 31;
        const u32 carry = (u32)(x >> 32);
        x >>= carry;
        fraction = 2 * fraction + carry;
    }
    return 4096 * place + fraction;
}

/* The block in a block slot has ended: adds its RTRU. */
static inline void count_rtru(PRIVATE struct sm *sm, u32 block_slot)
{
    if (!lane_first())
        return;
    GLOBAL struct ws_lives *lives = sm_lives(sm) + block_slot;
    const u64 all = sm->plan->warps_per_block * lives->longest;
    const u32 ratio = all == 0 ? 0 : (u32)(65536 * (all - lives->sum) / all);
    count(sm, WS_COUNT_rtru_sum, ratio);
    if (ratio == 0)
        count(sm, WS_COUNT_rtru_zeros, 1);
    else
        count(sm, WS_COUNT_rtru_log, 65536 - logarithm(ratio));
    lives->longest = lives->sum = 0;
}

#endif
