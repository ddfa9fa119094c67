/* `pdom_priority`: the warp that has passed the fewest reconvergence points (docs/model/schedulers.md; Fung 4.3, DPdPri). */
#ifndef WS_SCHEDULE_POOL_PDOM_PRIORITY_H
#define WS_SCHEDULE_POOL_PDOM_PRIORITY_H

static inline u32 pdom_priority_choose(PRIVATE struct sm *sm)
{
    u32 best = WS_NO_PLACE;
    FOR_FORMING (sm, place) {
        if (!forming_selectable(sm, place))
            continue;
        const u32 passed = forming_warp(sm, place)->passed, least = best == WS_NO_PLACE ? WS_NEVER : forming_warp(sm, best)->passed;
        if (best == WS_NO_PLACE || passed < least || (passed == least && is_fuller(sm, place, best)))
            best = place;
    }
    return best;
}

#endif
