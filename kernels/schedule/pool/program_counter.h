/* `program_counter`: the smallest pc (docs/model/schedulers.md; Fung 4.3, DPC). */
#ifndef WS_SCHEDULE_POOL_PROGRAM_COUNTER_H
#define WS_SCHEDULE_POOL_PROGRAM_COUNTER_H

static inline u32 program_counter_choose(PRIVATE struct sm *sm)
{
    u32 best = WS_NO_PLACE;
    FOR_FORMING (sm, place) {
        if (!forming_selectable(sm, place))
            continue;
        const u32 pc = forming_warp(sm, place)->pc, least = best == WS_NO_PLACE ? WS_NEVER : forming_warp(sm, best)->pc;
        if (best == WS_NO_PLACE || pc < least || (pc == least && is_fuller(sm, place, best)))
            best = place;
    }
    return best;
}

#endif
