/* `majority`: all warps at the most common pc, then those at the next (docs/model/schedulers.md; Fung 4.3, DMaj). */
#ifndef WS_SCHEDULE_POOL_MAJORITY_H
#define WS_SCHEDULE_POOL_MAJORITY_H

/* Whether a pc precedes another: more threads, then the smaller pc. */
static inline u32 majority_before(PRIVATE const struct sm *sm, u32 one, u32 other)
{
    const u32 threads = sm_pc_threads(sm)[one], others = sm_pc_threads(sm)[other];
    return threads > others || (threads == others && one < other);
}

static inline u32 majority_choose(PRIVATE struct sm *sm)
{
    const u32 kept = sm_pool(sm)->kept_pc == WS_NEVER ? WS_NO_PLACE : pool_oldest(sm, sm_pool(sm)->kept_pc);
    u32 pc = WS_NEVER, best = WS_NO_PLACE;
    if (kept != WS_NO_PLACE)
        return kept;
    FOR_FORMING (sm, place) {
        const u32 other = sm_forming(sm)[place].pc;
        if (other != pc && (best == WS_NO_PLACE || majority_before(sm, other, pc)) && forming_selectable(sm, place)) {
            pc = other;
            best = place;
        }
    }
    return best;
}

#endif
