/* `timestamp`: the oldest warp (docs/model/schedulers.md; Fung 4.3, DTime). */
#ifndef WS_SCHEDULE_POOL_TIMESTAMP_H
#define WS_SCHEDULE_POOL_TIMESTAMP_H

static inline u32 timestamp_choose(PRIVATE struct sm *sm)
{
    return pool_oldest(sm, WS_NEVER);
}

#endif
