/* What the threads of an issue slot read from the trace: decisions and accesses. Lanes have a thread each, or none. */
#ifndef WS_CORE_STREAMS_H
#define WS_CORE_STREAMS_H

#include "core/sm.h"

/* The threads of up to 32 lanes. */
struct threads {
    PER_LANE(u32, on);     /* whether the lane has a thread */
    PER_LANE(u32, slot);   /* thread slot: warp slot x warp size + thread of the warp */
    PER_LANE(u32, thread); /* thread of the image: 32 x group + lane of the group */
};

/* Next decision bit of each thread, 0 for lanes without; cursors stay. */
static inline void peek_decisions(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *bits)
{
    FOR_LANES (lane) {
        const u32 on = threads->on[OF(lane)];
        const u32 thread = threads->thread[OF(lane)];
        const u32 cursor = on ? sm->decisions[threads->slot[OF(lane)]] : 0;
        const u64 at = on ? sm->groups[thread / WS_LANES].decisions + (cursor / 32) * WS_LANES + thread % WS_LANES : 0;
        bits[OF(lane)] = on & (sm->words[at] >> (cursor % 32));
    }
}

/* Moves the decision cursors of the threads. */
static inline void take_decisions(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads)
{
    FOR_LANES (lane)
        if (threads->on[OF(lane)])
            sm->decisions[threads->slot[OF(lane)]] += 1;
}

/* Next access of each thread, 0 for lanes without; cursors stay. */
static inline void peek_accesses(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *access)
{
    FOR_LANES (lane) {
        const u32 on = threads->on[OF(lane)];
        const u32 thread = threads->thread[OF(lane)];
        const u64 cursor = on ? sm->accesses[threads->slot[OF(lane)]] : 0;
        const u64 at = on ? sm->groups[thread / WS_LANES].accesses + cursor * WS_LANES + thread % WS_LANES : 0;
        access[OF(lane)] = sm->words[at];
    }
}

static inline void take_accesses(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads)
{
    FOR_LANES (lane)
        if (threads->on[OF(lane)])
            sm->accesses[threads->slot[OF(lane)]] += 1;
}

#endif
