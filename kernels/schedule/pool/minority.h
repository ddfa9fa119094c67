/* `minority`: the least common pc (docs/model.md 7; Fung 4.3, DMin). */
#ifndef WS_SCHEDULE_POOL_MINORITY_H
#define WS_SCHEDULE_POOL_MINORITY_H

static inline u32 minority_choose(PRIVATE struct sm *sm)
{
    GLOBAL const u16 *threads = sm_pc_threads(sm);
    u32 pc = WS_NEVER;
    FOR_FORMING(sm, n)
    {
        const u32 other = dynamic_warp(sm, n)->pc;
        if (pc == WS_NEVER || threads[other] < threads[pc] || (threads[other] == threads[pc] && other < pc))
            pc = other;
    }
    return pool_oldest(sm, pc);
}

#endif
