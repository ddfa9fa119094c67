/* One group of 32 lanes simulates one SM. This file has the forms that a group takes, and all communication between its lanes:
 *   WS_LANES_LOOP      one work-item; a lane-private value is an array, "for all lanes" is a loop
 *   WS_LANES_GROUP     a work-group of 32; collectives go through local memory
 *   WS_LANES_PTX       a work-group of 32 that is a warp of NVIDIA's; collectives are its instructions
 *   WS_LANES_SUBGROUP  a work-group of 32 that is a sub-group; collectives are its built-in functions
 *   WS_FIBER           with any but the first in C: lanes are fibers, a barrier is a yield (tests)
 * A lane is a warp slot while scheduling, a SIMD column while executing. Rules: collectives only where all lanes come; a datum has
 * one lane that writes it; what another lane wrote is read only past a fence or a collective. */
#ifndef WS_LANES_H
#define WS_LANES_H

#include "shared/image.h"

/* The first lane of a mask (not empty) from a lane on, cyclically. */
static inline u32 next_in_turn(u32 mask, u32 from)
{
    const u32 onwards = mask & ~ws_bits_below(from);
    return ws_ctz(onwards ? onwards : mask);
}

/* How many lanes of a mask come before a lane of it, from a lane on, cyclically. */
static inline u32 rank_in_turn(u32 mask, u32 from, u32 lane)
{
    const u32 before = ws_popcount(mask & ws_bits_below(lane)) - ws_popcount(mask & ws_bits_below(from));
    return lane >= from ? before : before + ws_popcount(mask);
}

#ifdef WS_LANES_LOOP

struct lanes_local {
    u32 unused;
};

#define LANES_KERNEL    __kernel __attribute__((reqd_work_group_size(1, 1, 1)))
#define LANE_COPIES     32
#define FOR_LANES(lane) for (u32 lane = 0; lane < WS_LANES; ++lane)
/* For the lanes of a mask, each with its rank in cyclic order from a lane on; in form loop in that order, so that `break` ends it.
 */
#define FOR_TURNS(lane, rank, mask, from)                                                                                          \
    for (u32 lane, rank = 0, lane##_left = (mask); lane##_left != 0 && (lane = next_in_turn(lane##_left, from), 1);                \
         lane##_left &= ~ws_bit(lane), ++rank)
/* Index of a lane's copy in a lane-private array. */
#define OF(lane) (lane)
/* Whether the code runs for this lane: guards what only its owner does. */
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
    (void)lanes;
}

/* Mask of the lanes whose value is not zero. */
static inline u32 lanes_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    u32 mask = 0;
    (void)lanes;
    FOR_LANES (lane)
        mask |= (u32)(value[lane] != 0) << lane;
    return mask;
}

/* Whether any lane's value is not zero. */
static inline u32 lanes_any(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    u32 any = 0;
    (void)lanes;
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
    (void)lanes;
    FOR_LANES (lane)
        least = ws_min(least, value[lane]);
    return least;
}

/* One lane's value, for all. */
static inline u32 lanes_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 lane)
{
    (void)lanes;
    return value[lane];
}

/* What the first lane computed, for all. */
static inline u32 lanes_from_first(PRIVATE struct lanes *lanes, u32 value)
{
    (void)lanes;
    return value;
}

#define LEADERS_PLACES 64u

/* Lanes of a mask whose value no lower lane of the mask has, found one after the other in a table of places; lane + 1 in each. */
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
    (void)lanes;
    while (mask != 0 && ws_popcount(same) > 2) { /* many of one value: all lanes at once */
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

/* Whether all lanes in mask are known to have one value. A form to which it does not matter says no. */
static inline u32 lanes_agree(PRIVATE const u32 *value, u32 mask)
{
    const u32 one = value[ws_ctz(mask) % WS_LANES];
    u32 differ = 0;
    FOR_LANES (lane)
        differ |= (value[lane] ^ one) & (0u - (mask >> lane & 1));
    return differ == 0;
}

#else /* a work-item for each lane */

#ifdef WS_FIBER
u32 fiber_lane(void);
void fiber_barrier(void);
#define LANE_ID() fiber_lane()
static inline void lanes_add(LOCAL u32 *word, u32 value)
{
    *word += value;
}
#else
#define LANE_ID() ((u32)get_local_id(0))
static inline void lanes_add(LOCAL u32 *word, u32 value)
{
    atomic_add(word, value);
}
#endif

#define LANE_COPIES     1
#define FOR_LANES(lane) for (u32 lane = LANE_ID(), lane##_once = 1; lane##_once; lane##_once = 0)
#define FOR_TURNS(lane, rank, mask, from)                                                                                          \
    for (u32 lane = LANE_ID(), rank = rank_in_turn(mask, from, lane), lane##_once = (mask) >> lane & 1; lane##_once;               \
         lane##_once = 0)
#define OF(lane)      0
#define lane_is(lane) (LANE_ID() == (lane))
#define lane_first()  (LANE_ID() == 0u)

static inline u32 lanes_agree(PRIVATE const u32 *value, u32 mask)
{
    (void)value;
    (void)mask;
    return 0; /* the memory system sees it by itself */
}

#if defined(WS_LANES_PTX) || defined(WS_LANES_SUBGROUP)

/* warp_fence, warp_ballot, warp_any, warp_least, warp_pick, and warp_alike where WARP_ALIKE is defined: lanes that run together.
 * Only the first orders memory. */
#ifdef WS_LANES_PTX
#include "lanes_ptx.h"
#else
#include "lanes_subgroup.h"
#endif

struct lanes_local {
    u32 unused;
};

struct lanes {
    u32 unused;
};

static inline void lanes_open(PRIVATE struct lanes *lanes, LOCAL struct lanes_local *scratch)
{
    lanes->unused = 0;
    (void)scratch;
}

static inline void lanes_fence(PRIVATE struct lanes *lanes)
{
    (void)lanes;
    warp_fence();
}

static inline u32 lanes_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    lanes_fence(lanes);
    return warp_ballot(value[0]);
}

static inline u32 lanes_any(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    lanes_fence(lanes);
    return warp_any(value[0]);
}

static inline u32 lanes_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    lanes_fence(lanes);
    return warp_least(value[0]);
}

static inline u32 lanes_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 lane)
{
    lanes_fence(lanes);
    return warp_pick(value[0], lane);
}

#else /* WS_LANES_GROUP */

/* Three buffers in turn: while one is read, the one after it is clean and the one before it is being cleaned. */
struct lanes_local {
    u32 any[3], least[3], picked[3];
};

#ifdef WS_FIBER
#define LANES_BARRIER() fiber_barrier()
static inline void lanes_or(LOCAL u32 *word, u32 value)
{
    *word |= value;
}
static inline void lanes_lower(LOCAL u32 *word, u32 value)
{
    *word = ws_min(*word, value);
}
#else
#define LANES_BARRIER() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
static inline void lanes_or(LOCAL u32 *word, u32 value)
{
    atomic_or(word, value);
}
static inline void lanes_lower(LOCAL u32 *word, u32 value)
{
    atomic_min(word, value);
}
#endif

struct lanes {
    LOCAL struct lanes_local *scratch;
    u32 turn;
};

static inline void lanes_open(PRIVATE struct lanes *lanes, LOCAL struct lanes_local *scratch)
{
    lanes->scratch = scratch;
    lanes->turn = 0;
    if (lane_first()) {
        for (u32 i = 0; i < 3; ++i) {
            scratch->any[i] = 0;
            scratch->least[i] = 0xFFFFFFFFu;
        }
    }
    LANES_BARRIER();
}

/* Writes of all lanes before it are seen by all lanes after it. */
static inline void lanes_fence(PRIVATE struct lanes *lanes)
{
    (void)lanes;
    LANES_BARRIER();
}

/* Takes the next buffer, and cleans the one that all lanes have read. */
static inline void lanes_turn(PRIVATE struct lanes *lanes)
{
    const u32 stale = lanes->turn == 0 ? 2 : lanes->turn - 1;
    if (lane_first()) {
        lanes->scratch->any[stale] = 0;
        lanes->scratch->least[stale] = 0xFFFFFFFFu;
    }
    lanes->turn = lanes->turn == 2 ? 0 : lanes->turn + 1;
}

static inline u32 lanes_ballot(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    const u32 turn = lanes->turn;
    if (value[0])
        lanes_or(&lanes->scratch->any[turn], ws_bit(LANE_ID()));
    LANES_BARRIER();
    const u32 mask = lanes->scratch->any[turn];
    lanes_turn(lanes);
    return mask;
}

static inline u32 lanes_any(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    return lanes_ballot(lanes, value) != 0;
}

static inline u32 lanes_least(PRIVATE struct lanes *lanes, PRIVATE const u32 *value)
{
    const u32 turn = lanes->turn;
    lanes_lower(&lanes->scratch->least[turn], value[0]);
    LANES_BARRIER();
    const u32 least = lanes->scratch->least[turn];
    lanes_turn(lanes);
    return least;
}

static inline u32 lanes_pick(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 lane)
{
    const u32 turn = lanes->turn;
    if (LANE_ID() == lane)
        lanes->scratch->picked[turn] = value[0];
    LANES_BARRIER();
    const u32 picked = lanes->scratch->picked[turn];
    lanes_turn(lanes);
    return picked;
}

#endif

static inline u32 lanes_from_first(PRIVATE struct lanes *lanes, u32 value)
{
    return lanes_pick(lanes, &value, 0);
}

#ifdef WARP_ALIKE
static inline u32 lanes_leaders(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 mask)
{
    const u32 alike = warp_alike(value[0]) & mask;
    const u32 leads = mask >> LANE_ID() & (u32)(ws_ctz(alike) == LANE_ID());
    return lanes_ballot(lanes, &leads);
}
#else
static inline u32 lanes_leaders(PRIVATE struct lanes *lanes, PRIVATE const u32 *value, u32 mask)
{
    u32 leaders = 0;
    while (mask != 0) {
        const u32 leader = ws_ctz(mask);
        const u32 same = value[0] == lanes_pick(lanes, value, leader);
        leaders |= ws_bit(leader);
        mask &= ~(lanes_ballot(lanes, &same) | ws_bit(leader));
    }
    return leaders;
}
#endif

#endif

/* How a kernel begins: with a work-item for each lane, unless the form says more. */
#ifndef LANES_KERNEL
#define LANES_KERNEL __kernel __attribute__((reqd_work_group_size(32, 1, 1)))
#endif

/* A lane-private array. */
#define PER_LANE(type, name) type name[LANE_COPIES]

#endif
