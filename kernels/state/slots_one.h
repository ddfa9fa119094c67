/* Sets of at most 32 slots: a word. */
#ifndef WS_STATE_SLOTS_ONE_H
#define WS_STATE_SLOTS_ONE_H

typedef u32 slot_set;

#define FOR_SLOTS(slot) FOR_LANES (slot)
#define AT(slot)        OF(slot)

static inline slot_set slots_none(void)
{
    return 0;
}

static inline slot_set slots_only(u32 slot)
{
    return ws_bit(slot);
}

/* The slots before a slot. */
static inline slot_set slots_below(u32 slot)
{
    return ws_bits_below(slot);
}

static inline slot_set slots_or(slot_set a, slot_set b)
{
    return a | b;
}

static inline slot_set slots_and(slot_set a, slot_set b)
{
    return a & b;
}

static inline slot_set slots_minus(slot_set a, slot_set b)
{
    return a & ~b;
}

/* Whether a slot is in the set, as 1 or 0. */
static inline u32 slots_has(slot_set set, u32 slot)
{
    return set >> slot & 1;
}

static inline u32 slots_any(slot_set set)
{
    return set != 0;
}

static inline u32 slots_count(slot_set set)
{
    return ws_popcount(set);
}

/* The lowest slot of a set; WS_SLOTS of an empty one. */
static inline u32 slots_first(slot_set set)
{
    return ws_ctz(set);
}

/* The highest slot of a set that is not empty. */
static inline u32 slots_last(slot_set set)
{
    return 31 - ws_clz(set);
}

/* The set without its lowest slot. */
static inline slot_set slots_rest(slot_set set)
{
    return set & (set - 1);
}

/* The one word of a set. */
#define SLOT_WORD(set, n) (set)

/* The slots whose value is not zero. */
static inline slot_set slots_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    return lanes_ballot(lanes, value);
}

/* Smallest value of all slots. */
static inline u32 slots_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    return lanes_least(lanes, value);
}

/* The slot of a set (not empty) with the smallest value; of several the lowest. */
#ifdef WS_LANES_LOOP
static inline u32 slots_least_of(PRIVATE struct lanes *lanes, slot_set set, PRIVATE const u32 *value)
{
    u32 best = slots_first(set);
    for (slot_set left = slots_rest(set); slots_any(left); left = slots_rest(left)) {
        const u32 slot = slots_first(left);
        best = value[slot] < value[best] ? slot : best;
    }
    return best;
}
#else
static inline u32 slots_least_of(PRIVATE struct lanes *lanes, slot_set set, PRIVATE const u32 *value)
{
    PER_LANE(u32, own);
    PER_LANE(u32, is);
    FOR_LANES (lane)
        own[OF(lane)] = set >> lane & 1 ? value[OF(lane)] : 0xFFFFFFFFu;
    const u32 least = lanes_least(lanes, own);
    FOR_LANES (lane)
        is[OF(lane)] = (set >> lane & 1) && own[OF(lane)] == least;
    return ws_ctz(lanes_ballot(lanes, is));
}
#endif

/* One slot's value, for all lanes. */
static inline u32 slots_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 slot)
{
    return lanes_pick(lanes, value, slot);
}

/* One slot's set, for all lanes. */
static inline slot_set slots_pick_set(PRIVATE struct lanes *lanes, PRIVATE const slot_set *set, u32 slot)
{
    return lanes_pick(lanes, set, slot);
}

#endif
