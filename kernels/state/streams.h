/* What a packet's threads read from the trace: decisions and accesses. */
#ifndef WS_STATE_STREAMS_H
#define WS_STATE_STREAMS_H

#include "state/threads.h"

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
        cursor[OF(lane)] = 0;
    FOR_LANES_OF (lane, threads->mask)
        cursor[OF(lane)] = cursors[threads->slot[OF(lane)]];
}

/* Start of the decision or access streams of a thread's group. */
enum stream { STREAM_DECISIONS, STREAM_ACCESSES };

static inline u64 stream_begins(PRIVATE const struct sm *sm, u32 stream, u32 thread)
{
    GLOBAL const struct ws_group *group = sm->groups + thread / WS_LANES;
    return stream == STREAM_DECISIONS ? group->decisions : group->accesses;
}

/* Words of the threads of one row: word place[lane] of their streams; undefined for lanes without a thread. */
static inline void read_row(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, u32 stream,
                            PRIVATE const u32 *place, PRIVATE u32 *word)
{
    GLOBAL const u32 *words = sm->words + stream_begins(sm, stream, threads->begin);
    if (lanes_agree(place, threads->mask)) {
        words += (u64)place[OF(ws_ctz(threads->mask))] * WS_LANES;
        FOR_LANES (lane)
            word[OF(lane)] = words[lane];
    } else {
        FOR_LANES (lane) {
            word[OF(lane)] = words[place[OF(lane)] * WS_LANES + lane];
            ws_prefetch(words + place[OF(lane)] * WS_LANES + lane + WS_LANES);
        }
    }
}

/* Word place[lane] of each thread's stream. At least one lane has a thread; place is 0 for lanes without. */
static inline void read_words(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, u32 stream,
                              PRIVATE const u32 *place, PRIVATE u32 *word)
{
    if (threads->row) {
        read_row(sm, threads, stream, place, word);
        return;
    }
    FOR_LANES_OF (lane, threads->mask) {
        const u32 thread = threads->thread[OF(lane)];
        GLOBAL const u32 *words = sm->words + stream_begins(sm, stream, thread) + (u64)place[OF(lane)] * WS_LANES;
        word[OF(lane)] = words[thread % WS_LANES];
        ws_prefetch(words + thread % WS_LANES + WS_LANES);
    }
}

/* Next decision bit of each thread, 0 for lanes without; cursors do not advance. At least one lane has a thread. */
static inline void peek_decisions(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *bits)
{
    PER_LANE(u32, cursor);
    PER_LANE(u32, place);
    PER_LANE(u32, word);
    read_cursors(threads, sm_decisions(sm), cursor);
    FOR_LANES (lane) {
        place[OF(lane)] = cursor[OF(lane)] / 32;
        word[OF(lane)] = 0;
    }
    read_words(sm, threads, STREAM_DECISIONS, place, word);
    FOR_LANES (lane)
        bits[OF(lane)] = word[OF(lane)] >> (cursor[OF(lane)] % 32) & threads->mask >> lane & 1;
}

/* Next access of each thread; cursors do not advance. At least one lane has a thread. */
static inline void peek_accesses(PRIVATE const struct sm *sm, PRIVATE const struct threads *threads, PRIVATE u32 *access)
{
    PER_LANE(u32, cursor);
    read_cursors(threads, sm_accesses(sm), cursor);
    FOR_LANES (lane)
        access[OF(lane)] = 0;
    read_words(sm, threads, STREAM_ACCESSES, cursor, access);
}

/* Advances the cursors of the threads. */
static inline void take(PRIVATE const struct threads *threads, GLOBAL u32 *cursors)
{
    if (threads->row) {
        GLOBAL u32 *row = cursors + threads->first;
        FOR_LANES (lane)
            row[lane] += threads->mask >> lane & 1;
        return;
    }
    FOR_LANES_OF (lane, threads->mask)
        cursors[threads->slot[OF(lane)]] += 1;
}

#endif
