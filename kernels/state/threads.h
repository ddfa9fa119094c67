/* The threads of a packet. A lane has one thread or none. */
#ifndef WS_STATE_THREADS_H
#define WS_STATE_THREADS_H

#include "state/sm.h"

/* The threads of up to 32 lanes. */
struct threads {
    u32 mask;              /* lanes that have a thread */
    u32 row;               /* whether they are one row of a warp: slot of a lane is first + lane, thread is begin + lane */
    u32 first, begin;      /* of a row: thread slot and thread of lane 0 */
    PER_LANE(u32, slot);   /* thread slot: where its cursors are */
    PER_LANE(u32, thread); /* thread of the image: 32 x group + lane of the group */
};

/* The threads of the lanes in mask of one row of a warp; slot and thread are those of lane 0. */
static inline void threads_of_row(PRIVATE const struct sm *sm, PRIVATE struct threads *threads, u32 mask, u32 slot, u32 thread)
{
    threads->mask = mask;
    threads->row = MACHINE(sm, core_warp_size) >= WS_LANES;
    threads->first = slot;
    threads->begin = thread;
    FOR_LANES (lane) {
        threads->slot[OF(lane)] = slot + lane;
        threads->thread[OF(lane)] = thread + lane;
    }
}

#endif
