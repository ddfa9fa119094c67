/* Sets of slots. A slot is a place for a warp (also for a thread block or a fetch group, whose numbers never exceed it). There are
 * WS_SLOTS of them, 32 for each of the WS_SLOT_WORDS words (1, 2 or 8) that are compiled in. Lane n owns the slots n, n + 32, ...:
 * a value of each slot is a PER_SLOT array, accessed by AT(slot) inside FOR_SLOTS or where slot_is(slot). */
#ifndef WS_STATE_SLOTS_H
#define WS_STATE_SLOTS_H

#include "lanes/lanes.h"

#define WS_SLOTS             (WS_SLOT_WORDS * WS_LANES)
#define SLOT_COPIES          (WS_SLOT_WORDS * LANE_COPIES)
#define PER_SLOT(type, name) type name[SLOT_COPIES]
#define slot_is(slot)        lane_is((slot) % WS_LANES)
#define FOR_WORDS(n)         for (u32 n = 0; n < WS_SLOT_WORDS; ++n)

/* In form loop up to so many slots are visited one by one: a vector operation takes longer, especially right after a write to one
 * of them. */
#define WS_FEW 4u

#if WS_SLOT_WORDS == 1 || (WS_SLOT_WORDS == 2 && defined(WS_LANES_LOOP))
#include "state/slots_one.h"
#else
#include "state/slots_many.h"
#endif

/* Iterates over a set, which the loop must not change, in any order; not to be left by break. */
#ifndef WS_LANES_LOOP
#define FOR_SLOTS_OF(slot, set)                                                                                                    \
    FOR_SLOTS (slot)                                                                                                               \
        if (slots_has(set, slot))
#else
#define FOR_SLOTS_OF(slot, set)                                                                                                    \
    FOR_WORDS (slot##_word)                                                                                                        \
        FOR_LANES_OF (slot##_lane, SLOT_WORD(set, slot##_word))                                                                    \
            for (u32 slot = slot##_word * WS_LANES + slot##_lane, slot##_here = 1; slot##_here; slot##_here = 0)
#endif

/* Tests whether a set is empty where that saves time; on a GPU the test costs registers, so the result is 0. */
#ifdef WS_LANES_LOOP
#define NONE_IS_SEEN(set) (!slots_any(set))
#else
#define NONE_IS_SEEN(set) 0
#endif

/* The set whose words are stride apart. */
static inline slot_set slots_of_words(GLOBAL const u32 *words, u32 stride)
{
    slot_set set = slots_none();
    FOR_WORDS (n)
        SLOT_WORD_PUT(set, n, words[n * stride]);
    return set;
}

/* A set known to the first lane, for all. */
static inline slot_set slots_from_first(PRIVATE struct lanes *lanes, slot_set set)
{
    FOR_WORDS (n)
        SLOT_WORD_PUT(set, n, lanes_from_first(lanes, SLOT_WORD(set, n)));
    return set;
}

static inline slot_set slots_with(slot_set set, u32 slot)
{
    return slots_or(set, slots_only(slot));
}

static inline slot_set slots_without(slot_set set, u32 slot)
{
    return slots_minus(set, slots_only(slot));
}

/* The set with a slot where in is 1, without it where in is 0. */
static inline slot_set slots_put(slot_set set, u32 slot, u32 in)
{
#ifdef WS_STATE_SLOTS_ONE_H
    return slots_without(set, slot) | (slot_set)in << slot;
#else
    return in ? slots_with(set, slot) : slots_without(set, slot);
#endif
}

/* Slots first to first + count - 1. */
static inline slot_set slots_from(u32 first, u32 count)
{
    return slots_minus(slots_below(first + count), slots_below(first));
}

/* The first slot of a set (not empty) from a slot on, cyclically. */
static inline u32 slots_next(slot_set set, u32 from)
{
#if defined(WS_LANES_LOOP) && WS_SLOT_WORDS > 2
    u32 onwards = ~0u << from % WS_LANES;
    for (u32 n = from / WS_LANES; n < WS_SLOT_WORDS; ++n) {
        if ((set.word[n] & onwards) != 0)
            return n * WS_LANES + ws_ctz(set.word[n] & onwards);
        onwards = ~0u;
    }
    return slots_first(set);
#else
    const slot_set onwards = slots_minus(set, slots_below(from));
    return slots_first(slots_any(onwards) ? onwards : set);
#endif
}

/* Slots of a set whose value is at most most. */
static inline slot_set slots_up_to(PRIVATE struct lanes *lanes, slot_set set, PRIVATE const u32 *value, u32 limit)
{
    FOR_WORDS (n) {
        PER_LANE(u32, is);
        if (SLOT_WORD(set, n) == 0)
            continue;
        FOR_LANES (lane)
            is[OF(lane)] = value[AT(n * WS_LANES + lane)] <= limit;
        SLOT_WORD_PUT(set, n, SLOT_WORD(set, n) & lanes_ballot(lanes, is));
    }
    return set;
}

/* The slot's value, for all lanes. */
static inline u32 slots_give(PRIVATE struct lanes *lanes, u32 slot, u32 value)
{
#ifdef WS_LANES_LOOP
    return value;
#else
    return lanes_pick(lanes, &value, slot % WS_LANES);
#endif
}

/* Slots of a set (not empty) with the smallest value. */
static inline slot_set slots_of_least(PRIVATE struct lanes *lanes, slot_set set, PRIVATE const u32 *value)
{
#ifdef WS_LANES_LOOP
    if (slots_count(set) <= WS_FEW) {
        slot_set few = slots_none();
        u32 smallest = 0xFFFFFFFFu;
        FOR_SLOTS_OF (slot, set) {
            few = value[slot] < smallest ? slots_only(slot) : value[slot] == smallest ? slots_with(few, slot) : few;
            smallest = ws_min(smallest, value[slot]);
        }
        return few;
    }
#endif
    PER_LANE(u32, least);
    FOR_LANES (lane)
        least[OF(lane)] = 0xFFFFFFFFu;
    FOR_WORDS (n) {
        const u32 word = SLOT_WORD(set, n);
        if (word == 0)
            continue;
        FOR_LANES (lane)
            least[OF(lane)] = ws_min(least[OF(lane)], value[AT(n * WS_LANES + lane)] | ((word >> lane & 1) - 1));
    }
    return slots_up_to(lanes, set, value, lanes_least(lanes, least));
}

/* The slot of a set (not empty) with the smallest value; of several the lowest. */
static inline u32 slots_least_of(PRIVATE struct lanes *lanes, slot_set set, PRIVATE const u32 *value)
{
#ifdef WS_LANES_LOOP
    const slot_set others = slots_rest(set);
    u32 best = slots_first(set);
    FOR_SLOTS_OF (slot, others)
        best = value[slot] < value[best] ? slot : best;
    return best;
#else
    return slots_first(slots_of_least(lanes, set, value));
#endif
}

/* Slots first to last, inclusive, cyclically. */
static inline slot_set slots_from_to(u32 first, u32 last)
{
    const slot_set before = slots_below(first), up_to = slots_below(last + 1);
    return first <= last ? slots_minus(up_to, before) : slots_or(up_to, slots_minus(slots_below(WS_SLOTS), before));
}

/* The slot of a set with a rank in cyclic order from a slot on. */
static inline u32 slots_in_turn(slot_set set, u32 from, u32 rank)
{
#ifdef WS_STATE_SLOTS_ONE_H
    slot_set turned = set >> from | set << (WS_SLOTS - from) % WS_SLOTS;
    for (; rank != 0; --rank)
        turned = slots_rest(turned);
    return (slots_first(turned) + from) % WS_SLOTS;
#else
    u32 slot = slots_next(set, from);
    for (; rank != 0; --rank)
        slot = slots_next(set, slot + 1);
    return slot;
#endif
}

/* FOR_TURNS over slots. */
#if WS_SLOT_WORDS == 1
#define FOR_SLOT_TURNS(slot, rank, set, from) FOR_TURNS (slot, rank, set, from)
#elif defined(WS_LANES_LOOP)
#define FOR_SLOT_TURNS(slot, rank, set, from)                                                                                      \
    for (u32 rank = 0, slot##_count = slots_count(set), slot = slots_next(set, from); rank < slot##_count;                         \
         slot = slots_next(set, slot + 1), ++rank)
#endif

/* Whether a set has at most one slot. */
static inline u32 slots_alone(slot_set set)
{
    return !slots_any(slots_rest(set));
}

#endif
