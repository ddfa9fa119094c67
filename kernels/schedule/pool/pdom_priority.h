/* `pdom_priority`: what has passed the fewest reconvergence points (docs/model.md 7; Fung 4.3, DPdPri). */
#ifndef WS_SCHEDULE_POOL_PDOM_PRIORITY_H
#define WS_SCHEDULE_POOL_PDOM_PRIORITY_H

static inline u32 pdom_priority_choose(PRIVATE struct sm *sm)
{
    u32 best = WS_NO_WARP;
    FOR_FORMING(sm, n)
    {
        if (best == WS_NO_WARP || dynamic_warp(sm, n)->passed < dynamic_warp(sm, best)->passed ||
            (dynamic_warp(sm, n)->passed == dynamic_warp(sm, best)->passed && is_fuller(sm, n, best)))
            best = n;
    }
    return best;
}

#endif
