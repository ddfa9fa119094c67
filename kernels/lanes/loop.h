/* Form loop: one work-item; a lane-private value is an array, "for all lanes" is a loop. */
#ifndef WS_LANES_LOOP_H
#define WS_LANES_LOOP_H

struct lanes_local {
    u32 unused;
};

/* Number of pcs with tallies of packets (state/counts.h). */
#ifndef TALLIES
#define TALLIES 512
#endif

#define LANES_KERNEL    __kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#define LANE_COPIES     32
#define FOR_LANES(lane) for (u32 lane = 0; lane < WS_LANES; ++lane)
/* For the lanes of a mask, in any order. */
#define FOR_LANES_OF(lane, mask)                                                                                                   \
    for (u32 lane, lane##_left = (mask); lane##_left != 0 && (lane = ws_ctz(lane##_left), 1); lane##_left &= lane##_left - 1)
/* For the lanes of a mask, each with its rank in cyclic order from a lane on; form loop visits them in that order, so `break` ends
 * it. */
#define FOR_TURNS(lane, rank, mask, from)                                                                                          \
    for (u32 lane, rank = 0, lane##_left = (mask); lane##_left != 0 && (lane = next_in_turn(lane##_left, from), 1);                \
         lane##_left &= ~ws_bit(lane), ++rank)
/* Index of a lane's copy in a lane-private array. */
#define OF(lane) (lane)
/* Whether the code runs for this lane: guards what only the owner does. */
#define lane_is(lane) 1
#define lane_first()  1

struct lanes {
    u32 unused;
};

static inline void lanes_open(PRIVATE struct lanes *lanes, LOCAL struct lanes_local *scratch)
{
    lanes->unused = 0;
    scratch->unused = 0;
}

static inline void lanes_fence(PRIVATE struct lanes *lanes)
{
}

/* Mask of the lanes whose value is not zero. */
static inline u32 lanes_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    u32 mask = 0;
    FOR_LANES (lane)
        mask |= (u32)(value[lane] != 0) << lane;
    return mask;
}

/* Whether any lane's value is not zero. */
static inline u32 lanes_any(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    u32 any = 0;
    FOR_LANES (lane)
        any |= value[lane];
    return any != 0;
}

/* Adds to a word that several lanes may add to. */
static inline void lanes_add(LOCAL u32 *word, u32 value)
{
    *word += value;
}

/* Smallest value of all lanes. */
static inline u32 lanes_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    u32 least = 0xFFFFFFFFu;
    FOR_LANES (lane)
        least = ws_min(least, value[lane]);
    return least;
}

/* One lane's value, for all. */
static inline u32 lanes_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 lane)
{
    return value[lane];
}

/* The first lane's value, for all. */
static inline u32 lanes_from_first(PRIVATE struct lanes *lanes, u32 value)
{
    return value;
}

/* Number of the lowest set bit of a word (not zero), by comparisons, which vectorize unlike ws_ctz. */
static inline u32 lane_lowest(u32 word)
{
    const u32 bit = word & (0u - word);
    return (u32)((bit & 0xAAAAAAAAu) != 0) | (u32)((bit & 0xCCCCCCCCu) != 0) << 1 | (u32)((bit & 0xF0F0F0F0u) != 0) << 2 |
           (u32)((bit & 0xFF00FF00u) != 0) << 3 | (u32)((bit & 0xFFFF0000u) != 0) << 4;
}

#define LEADERS_PLACES 64u

/* Lanes of a mask whose value no lower lane of the mask has, found by a hash table of lane + 1. */
static inline u32 leaders_by_place(PRIVATE const u32 *value, u32 mask)
{
    u8 places[LEADERS_PLACES] = {0};
    u32 leaders = 0;
    for (; mask != 0; mask &= mask - 1) {
        const u32 lane = ws_ctz(mask);
        u32 place = value[lane] * 0x9E3779B1u / (0xFFFFFFFFu / LEADERS_PLACES + 1);
        while (places[place] != 0 && value[places[place] - 1] != value[lane])
            place = (place + 1) % LEADERS_PLACES;
        leaders |= (u32)(places[place] == 0) << lane;
        places[place] = (u8)(lane + 1);
    }
    return leaders;
}

/* Lanes of a mask whose value no lower lane of the mask has. */
static inline u32 lanes_leaders(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 mask)
{
    u32 leaders = 0, same = 0xFFFFFFFFu;
    while (mask != 0 && ws_popcount(same) > 2) { /* many lanes of one value: compare all lanes at once */
        const u32 leader = ws_ctz(mask), one = value[leader % WS_LANES];
        same = 0;
        FOR_LANES (lane)
            same |= (u32)(value[lane] == one) << lane;
        same &= mask;
        mask ^= same;
        leaders |= ws_bit(leader);
    }
    return leaders | leaders_by_place(value, mask);
}

/* Whether all lanes in mask are known to have one value. Forms without use for that return 0. */
static inline u32 lanes_agree(PRIVATE const u32 *value, u32 mask)
{
    const u32 one = value[ws_ctz(mask) % WS_LANES];
    u32 differ = 0;
    FOR_LANES (lane)
        differ |= (value[lane] ^ one) & (0u - (mask >> lane & 1));
    return differ == 0;
}

#endif
