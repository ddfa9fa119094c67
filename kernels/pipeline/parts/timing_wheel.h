/* Timing wheel: state changes of slots in the next 64 cycles, as sets of slots by cycle and kind. A cycle touches only slots that
 * change. The first lane writes the wheel. */
#ifndef WS_PIPELINE_PARTS_TIMING_WHEEL_H
#define WS_PIPELINE_PARTS_TIMING_WHEEL_H

#include "pipeline/pipeline.h"

enum wheel_kind {
    WHEEL_NEEDS_FETCH, /* may be fetched */
    WHEEL_VALID,       /* its oldest buffered instruction is valid */
    WHEEL_READY,       /* and its registers are available */
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

/* The lowest of several places; places is not 0. */
static inline u32 wheel_first(u64 places)
{
    const u32 low = (u32)places;
    return low != 0 ? ws_ctz(low) : 32 + ws_ctz((u32)(places >> 32));
}

static inline u64 wheel_places(PRIVATE const struct sm *sm)
{
    return (u64)sm->wheel_high << 32 | sm->wheel_low;
}

/* Sets the mask of places that are not empty. */
static inline void wheel_become(PRIVATE struct sm *sm, u64 places)
{
    sm->wheel_low = (u32)places;
    sm->wheel_high = (u32)(places >> 32);
}

/* Schedules a change of the slot, 1 to 63 cycles from now. */
static inline void wheel_put(PRIVATE struct sm *sm, u32 kind, u32 slot, u32 cycle)
{
    const u32 place = wheel_place(sm, cycle);
    if (lane_first())
        wheel_words(sm, place)[kind * WS_SLOT_WORDS + slot / WS_LANES] |= ws_bit(slot % WS_LANES);
    wheel_become(sm, wheel_places(sm) | (u64)1 << place);
}

/* Removes and returns the slots that change in this cycle. */
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

/* Cancels the slots' pending changes to valid and ready. */
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

/* Next cycle after this one whose place is in a mask. Does not rotate by 64 bits: clang's NVPTX back end, at least to release 14,
 * passes shr.b64 and shl.b64 the whole count where it knows that only the last six bits matter. */
static inline u32 places_next(PRIVATE const struct sm *sm, u64 places)
{
    const u32 first = wheel_place(sm, sm->now + 1);
    const u64 onwards = places >> first;
    if (places == 0)
        return WS_NEVER;
    return sm->now + 1 + (onwards != 0 ? wheel_first(onwards) : WS_WHEEL - first + wheel_first(places));
}

/* Next cycle after this one with an event. */
static inline u32 wheel_next(PRIVATE const struct sm *sm)
{
    return places_next(sm, wheel_places(sm));
}

#endif
