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

/* The set without its lowest slot. */
static inline slot_set slots_rest(slot_set set)
{
    return set & (set - 1);
}

static inline u32 slots_word(slot_set set, u32 word)
{
    return word == 0 ? set : 0;
}

static inline void slots_put_word(PRIVATE slot_set *set, u32 word, u32 value)
{
    *set = word == 0 ? value : *set;
}

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
