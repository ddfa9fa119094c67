/* Sets of several words. In form loop most changes write all words together as a vector: a processor cannot forward a single
 * written word to a load of the whole vector, and stalls. */
#ifndef WS_STATE_SLOTS_MANY_H
#define WS_STATE_SLOTS_MANY_H

typedef struct {
    u32 word[WS_SLOT_WORDS];
} slot_set;

#ifdef WS_LANES_LOOP
#define FOR_SLOTS(slot) for (u32 slot = 0; slot < WS_SLOTS; ++slot)
#define AT(slot)        (slot)
#else
#define FOR_SLOTS(slot) for (u32 slot = LANE_ID(); slot < WS_SLOTS; slot += WS_LANES)
#define AT(slot)        ((slot) / WS_LANES)
#endif

static inline slot_set slots_none(void)
{
    slot_set set;
    FOR_WORDS (n)
        set.word[n] = 0;
    return set;
}

static inline slot_set slots_only(u32 slot)
{
    slot_set set;
    FOR_WORDS (n)
        set.word[n] = n == slot / WS_LANES ? ws_bit(slot % WS_LANES) : 0;
    return set;
}

/* The slots before a slot. */
static inline slot_set slots_below(u32 slot)
{
    slot_set set;
    FOR_WORDS (n)
        set.word[n] = slot <= n * WS_LANES ? 0 : ws_bits_below(slot - n * WS_LANES);
    return set;
}

static inline slot_set slots_or(slot_set a, slot_set b)
{
    FOR_WORDS (n)
        a.word[n] |= b.word[n];
    return a;
}

static inline slot_set slots_and(slot_set a, slot_set b)
{
    FOR_WORDS (n)
        a.word[n] &= b.word[n];
    return a;
}

static inline slot_set slots_minus(slot_set a, slot_set b)
{
    FOR_WORDS (n)
        a.word[n] &= ~b.word[n];
    return a;
}

/* Whether a slot is in the set, as 1 or 0. */
static inline u32 slots_has(slot_set set, u32 slot)
{
    return set.word[slot / WS_LANES] >> slot % WS_LANES & 1;
}

static inline u32 slots_any(slot_set set)
{
    u32 any = 0;
    FOR_WORDS (n)
        any |= set.word[n];
    return any != 0;
}

static inline u32 slots_count(slot_set set)
{
    u32 count = 0;
    FOR_WORDS (n)
        count += ws_popcount(set.word[n]);
    return count;
}

/* The lowest slot of a set; WS_SLOTS of an empty one. */
static inline u32 slots_first(slot_set set)
{
#ifdef WS_LANES_LOOP
    FOR_WORDS (n)
        if (set.word[n] != 0)
            return n * WS_LANES + ws_ctz(set.word[n]);
    return WS_SLOTS;
#else
    u32 first = WS_SLOTS;
    FOR_WORDS (n)
        first = first == WS_SLOTS && set.word[n] != 0 ? n * WS_LANES + ws_ctz(set.word[n]) : first;
    return first;
#endif
}

/* The highest slot of a set that is not empty. */
static inline u32 slots_last(slot_set set)
{
    u32 last = 0;
    FOR_WORDS (n)
        last = set.word[n] != 0 ? n * WS_LANES + 31 - ws_clz(set.word[n]) : last;
    return last;
}

/* The set without its lowest slot. */
static inline slot_set slots_rest(slot_set set)
{
#ifdef WS_LANES_LOOP
    return slots_minus(set, slots_only(slots_first(set)));
#else
    u32 found = 0;
    FOR_WORDS (n) {
        const u32 word = set.word[n];
        set.word[n] = found ? word : word & (word - 1);
        found |= word;
    }
    return set;
#endif
}

/* A word of a set. */
#define SLOT_WORD(set, n)           (set).word[n]
#define SLOT_WORD_PUT(set, n, bits) ((set).word[n] = (bits))

/* The slots whose value is not zero. */
static inline slot_set slots_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    slot_set set;
    FOR_WORDS (n)
        set.word[n] = lanes_ballot(lanes, value + n * LANE_COPIES);
    return set;
}

/* Smallest value of all slots. */
static inline u32 slots_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    PER_LANE(u32, least);
    FOR_LANES (lane)
        least[OF(lane)] = value[OF(lane)];
    for (u32 n = 1; n < WS_SLOT_WORDS; ++n)
        FOR_LANES (lane)
            least[OF(lane)] = ws_min(least[OF(lane)], value[n * LANE_COPIES + OF(lane)]);
    return lanes_least(lanes, least);
}

/* One slot's value, for all lanes. */
static inline u32 slots_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 slot)
{
#ifdef WS_LANES_LOOP
    return value[slot];
#else
    return lanes_pick(lanes, value + slot / WS_LANES * LANE_COPIES, slot % WS_LANES);
#endif
}

/* One slot's set, for all lanes. */
static inline slot_set slots_pick_set(PRIVATE struct lanes *lanes, PRIVATE const slot_set *set, u32 slot)
{
#ifdef WS_LANES_LOOP
    return set[slot];
#else
    PER_SLOT(u32, value);
    slot_set picked;
    FOR_WORDS (n) {
        FOR_SLOTS (each)
            value[AT(each)] = set[AT(each)].word[n];
        picked.word[n] = slots_pick(lanes, value, slot);
    }
    return picked;
#endif
}

#endif
