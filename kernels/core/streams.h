/* What the threads of an issue slot read from the trace: decisions and accesses. Lanes have a thread each, or none. */
#ifndef WS_CORE_STREAMS_H
#define WS_CORE_STREAMS_H

#include "core/sm.h"

/* The threads of up to 32 lanes. */
struct threads {
    u32 mask;              /* lanes that have a thread */
    u32 row;               /* whether they are one row of a warp: slot of a lane is first + lane, the threads are one group */
    u32 first;
    PER_LANE(u32, slot);   /* thread slot: warp slot x warp size + thread of the warp */
    PER_LANE(u32, thread); /* thread of the image: 32 x group + lane of the group */
};

/* The threads of the lanes in mask of one row of a warp; slot and thread are those of lane 0. */
static inline void threads_of_row(PRIVATE const struct sm *sm, PRIVATE struct threads *threads, u32 mask, u32 slot, u32 thread)
{
    threads->mask = mask;
    threads->row = sm->machine->core_warp_size >= WS_LANES;
    threads->first = slot;
    FOR_LANES (lane) {
        threads->slot[OF(lane)] = slot + lane;
        threads->thread[OF(lane)] = thread + lane;
    }
}

/* Cursors of the threads into their streams; 0 for lanes without a thread. */
static inline void read_cursors(PRIVATE const struct threads *threads, GLOBAL const u32 *cursors, PRIVATE u32 *cursor)
{
    if (threads->row) {
        GLOBAL const u32 *row = cursors + threads->first;
        FOR_LANES (lane)
            cursor[OF(lane)] = row[lane] & (0u - (threads->mask >> lane & 1));
        return;
    }
    FOR_LANES (lane)
        cursor[OF(lane)] = threads->mask >> lane & 1 ? cursors[threads->slot[OF(lane)]] : 0;
}

/* Word number cursor of each thread's stream; begins[lane] is where the stream of the thread's group begins. */
static inline void read_words(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE const u64 *begins,
                              PRIVATE const u32 *cursor, PRIVATE u32 *word)
{
    FOR_LANES (lane) {
        const u32 on = threads->mask >> lane & 1;
        const u64 at = begins[OF(lane)] + (u64)cursor[OF(lane)] * WS_LANES + threads->thread[OF(lane)] % WS_LANES;
        word[OF(lane)] = sm->words[on ? at : 0];
    }
}

/* The same for a row that is in step. */
static inline void read_row(PRIVATE const struct sm *sm, u64 begins, u32 cursor, PRIVATE u32 *word)
{
    GLOBAL const u32 *row = sm->words + begins + (u64)cursor * WS_LANES;
    FOR_LANES (lane)
        word[OF(lane)] = row[lane];
}

/* Whether the threads are one row and equally far. */
static inline u32 in_step(PRIVATE const struct threads *threads, PRIVATE const u32 *cursors)
{
    return threads->row && lanes_agree(cursors, threads->mask);
}

/* Next decision bit of each thread, 0 for lanes without; cursors stay. At least one lane has a thread. */
static inline void peek_decisions(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *bits)
{
    PER_LANE(u32, cursor);
    PER_LANE(u32, place);
    PER_LANE(u64, begins);
    read_cursors(threads, sm->decisions, cursor);
    if (in_step(threads, cursor)) {
        const u32 lead = ws_ctz(threads->mask);
        read_row(sm, sm->groups[threads->thread[OF(lead)] / WS_LANES].decisions, cursor[OF(lead)] / 32, bits);
    } else {
        FOR_LANES (lane) {
            const u32 on = threads->mask >> lane & 1;
            begins[OF(lane)] = on ? sm->groups[threads->thread[OF(lane)] / WS_LANES].decisions : 0;
            place[OF(lane)] = cursor[OF(lane)] / 32;
        }
        read_words(sm, threads, begins, place, bits);
    }
    FOR_LANES (lane)
        bits[OF(lane)] = bits[OF(lane)] >> (cursor[OF(lane)] % 32) & threads->mask >> lane & 1;
}

/* Next access of each thread; cursors stay. At least one lane has a thread. */
static inline void peek_accesses(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *access)
{
    PER_LANE(u32, cursor);
    PER_LANE(u64, begins);
    read_cursors(threads, sm->accesses, cursor);
    if (in_step(threads, cursor)) {
        const u32 lead = ws_ctz(threads->mask);
        read_row(sm, sm->groups[threads->thread[OF(lead)] / WS_LANES].accesses, cursor[OF(lead)], access);
        return;
    }
    FOR_LANES (lane)
        begins[OF(lane)] = threads->mask >> lane & 1 ? sm->groups[threads->thread[OF(lane)] / WS_LANES].accesses : 0;
    read_words(sm, threads, begins, cursor, access);
}

/* Moves the cursors of the threads. */
static inline void take(PRIVATE const struct threads *threads, GLOBAL u32 *cursors)
{
    if (threads->row) {
        GLOBAL u32 *row = cursors + threads->first;
        FOR_LANES (lane)
            row[lane] += threads->mask >> lane & 1;
        return;
    }
    FOR_LANES (lane)
        if (threads->mask >> lane & 1)
            cursors[threads->slot[OF(lane)]] += 1;
}

#endif
