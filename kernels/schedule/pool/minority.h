/* `minority`: the least common pc (docs/model/schedulers.md; Fung 4.3, DMin). */
#ifndef WS_SCHEDULE_POOL_MINORITY_H
#define WS_SCHEDULE_POOL_MINORITY_H

static inline u32 minority_choose(PRIVATE struct sm *sm)
{
    GLOBAL const u16 *threads = sm_pc_threads(sm);
    u32 pc = WS_NEVER, best = WS_NO_PLACE;
    FOR_FORMING (sm, place) {
        const u32 other = sm_forming(sm)[place].pc;
        if ((best == WS_NO_PLACE || threads[other] < threads[pc] || (threads[other] == threads[pc] && other < pc)) &&
            forming_selectable(sm, place)) {
            pc = other;
            best = place;
        }
    }
    return best;
}

#endif
