/* What slots become in the next cycles: a wheel of 64 cycles with sets of slots. Sets of what they are now follow from it, so that
 * a cycle looks at no slot that does not change. The wheel is written by the first lane. */
#ifndef WS_PIPELINE_PARTS_TIMING_WHEEL_H
#define WS_PIPELINE_PARTS_TIMING_WHEEL_H

#include "pipeline/pipeline.h"

enum wheel_kind {
    WHEEL_NEEDS_FETCH, /* may be fetched */
    WHEEL_VALID,       /* its first buffered instruction is valid */
    WHEEL_READY,       /* and has its registers */
    WHEEL_SHORT,       /* it reads no long register any more */
    WHEEL_KINDS
};

static inline u32 wheel_place(PRIVATE const struct sm *sm, u32 cycle)
{
    return cycle % WS_WHEEL;
}

static inline GLOBAL u32 *wheel_words(PRIVATE const struct sm *sm, u32 place)
{
    return sm_wheel(sm) + place * WHEEL_KINDS * WS_SLOT_WORDS;
}

/* The first of several places (not empty). */
static inline u32 wheel_first(u64 places)
{
    const u32 low = (u32)places;
    return low != 0 ? ws_ctz(low) : 32 + ws_ctz((u32)(places >> 32));
}

static inline u64 wheel_places(PRIVATE const struct sm *sm)
{
    return (u64)sm->wheel_high << 32 | sm->wheel_low;
}

/* The places that are not empty are these. */
static inline void wheel_become(PRIVATE struct sm *sm, u64 places)
{
    sm->wheel_low = (u32)places;
    sm->wheel_high = (u32)(places >> 32);
}

/* The slot becomes something in a cycle after this one, at most 63 away. */
static inline void wheel_put(PRIVATE struct sm *sm, u32 kind, u32 slot, u32 cycle)
{
    const u32 place = wheel_place(sm, cycle);
    if (lane_first())
        wheel_words(sm, place)[kind * WS_SLOT_WORDS + slot / WS_LANES] |= ws_bit(slot % WS_LANES);
    wheel_become(sm, wheel_places(sm) | (u64)1 << place);
}

/* Takes the slots that become something now. */
static inline slot_set wheel_take(PRIVATE struct sm *sm, u32 place, u32 kind)
{
    slot_set slots = slots_none();
    if (lane_first()) {
        GLOBAL u32 *words = wheel_words(sm, place) + kind * WS_SLOT_WORDS;
        slots = slots_of_words(words, 1);
        FOR_WORDS (n)
            words[n] = 0;
    }
    return slots_from_first(&sm->lanes, slots);
}

/* The slots do not become valid or ready any more. */
static inline void wheel_forget(PRIVATE struct sm *sm, slot_set slots)
{
    if (!lane_first())
        return;
    for (u64 places = wheel_places(sm); places != 0; places &= places - 1) {
        const u32 place = wheel_first(places);
        FOR_WORDS (n) {
            wheel_words(sm, place)[WHEEL_VALID * WS_SLOT_WORDS + n] &= ~SLOT_WORD(slots, n);
            wheel_words(sm, place)[WHEEL_READY * WS_SLOT_WORDS + n] &= ~SLOT_WORD(slots, n);
        }
    }
}

/* Next cycle after this one in which a slot becomes something. No rotation by 64 bits: clang's back end for NVIDIA's GPUs, at least
 * to release 14, gives shr.b64 and shl.b64 the whole count where it knows that only the last six bits matter. */
static inline u32 wheel_next(PRIVATE const struct sm *sm)
{
    const u64 places = wheel_places(sm);
    const u32 first = wheel_place(sm, sm->now + 1);
    const u64 onwards = places >> first;
    if (places == 0)
        return WS_NEVER;
    return sm->now + 1 + (onwards != 0 ? wheel_first(onwards) : WS_WHEEL - first + wheel_first(places));
}

#endif
