/* `program_counter`: the smallest pc (docs/model.md 7; Fung 4.3, DPC). */
#ifndef WS_SCHEDULE_POOL_PROGRAM_COUNTER_H
#define WS_SCHEDULE_POOL_PROGRAM_COUNTER_H

static inline u32 program_counter_choose(PRIVATE struct sm *sm)
{
    u32 best = WS_NO_WARP;
    FOR_FORMING(sm, n)
    {
        if (best == WS_NO_WARP || dynamic_warp(sm, n)->pc < dynamic_warp(sm, best)->pc ||
            (dynamic_warp(sm, n)->pc == dynamic_warp(sm, best)->pc && is_fuller(sm, n, best)))
            best = n;
    }
    return best;
}

#endif
