/* Sets in one word: at most 32 slots; in form loop 64. */
#ifndef WS_STATE_SLOTS_ONE_H
#define WS_STATE_SLOTS_ONE_H

#if WS_SLOT_WORDS == 1
typedef u32 slot_set;

#define set_popcount ws_popcount
#define set_ctz      ws_ctz
#define set_clz      ws_clz
#else
typedef u64 slot_set;

#define set_popcount ws_popcount64
#define set_ctz      ws_ctz64
#define set_clz      ws_clz64
#endif

#ifdef WS_LANES_LOOP
#define FOR_SLOTS(slot) for (u32 slot = 0; slot < WS_SLOTS; ++slot)
#define AT(slot)        (slot)
#else
#define FOR_SLOTS(slot) FOR_LANES (slot)
#define AT(slot)        OF(slot)
#endif

static inline slot_set slots_none(void)
{
    return 0;
}

static inline slot_set slots_only(u32 slot)
{
    return (slot_set)1 << slot;
}

/* The slots before a slot. */
static inline slot_set slots_below(u32 slot)
{
    return slot >= WS_SLOTS ? ~(slot_set)0 : slots_only(slot) - 1;
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
    return (u32)(set >> slot) & 1;
}

static inline u32 slots_any(slot_set set)
{
    return set != 0;
}

static inline u32 slots_count(slot_set set)
{
    return set_popcount(set);
}

/* The lowest slot of a set; WS_SLOTS of an empty one. */
static inline u32 slots_first(slot_set set)
{
    return set_ctz(set);
}

/* The highest slot of a set that is not empty. */
static inline u32 slots_last(slot_set set)
{
    return WS_SLOTS - 1 - set_clz(set);
}

/* The set without its lowest slot. */
static inline slot_set slots_rest(slot_set set)
{
    return set & (set - 1);
}

/* A word of a set. */
#if WS_SLOT_WORDS == 1
#define SLOT_WORD(set, n)           (set)
#define SLOT_WORD_PUT(set, n, bits) ((set) = (bits))
#else
#define SLOT_WORD(set, n)           ((u32)((set) >> (n)*WS_LANES))
#define SLOT_WORD_PUT(set, n, bits) ((set) = ((set) & ~((slot_set)0xFFFFFFFFu << (n)*WS_LANES)) | (slot_set)(bits) << (n)*WS_LANES)
#endif

/* The slots whose value is not zero. */
static inline slot_set slots_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    slot_set set = lanes_ballot(lanes, value);
#if WS_SLOT_WORDS == 2
    set |= (slot_set)lanes_ballot(lanes, value + WS_LANES) << WS_LANES;
#endif
    return set;
}

/* Smallest value of all slots. */
static inline u32 slots_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
#if WS_SLOT_WORDS == 1
    return lanes_least(lanes, value);
#else
    u32 least = 0xFFFFFFFFu;
    FOR_SLOTS (slot)
        least = ws_min(least, value[slot]);
    return least;
#endif
}

/* One slot's value, for all lanes. */
static inline u32 slots_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 slot)
{
#ifdef WS_LANES_LOOP
    return value[slot];
#else
    return lanes_pick(lanes, value, slot);
#endif
}

/* One slot's set, for all lanes. */
static inline slot_set slots_pick_set(PRIVATE struct lanes *lanes, PRIVATE const slot_set *set, u32 slot)
{
#ifdef WS_LANES_LOOP
    return set[slot];
#else
    return lanes_pick(lanes, set, slot);
#endif
}

#endif
