/* Shared by the forms with one work-item for each lane. */
#ifndef WS_LANES_APART_H
#define WS_LANES_APART_H

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

#define LANE_COPIES              1
#define TALLIES                  0 /* none (state/counts.h) */
#define FOR_LANES(lane)          for (u32 lane = LANE_ID(), lane##_once = 1; lane##_once; lane##_once = 0)
#define FOR_LANES_OF(lane, mask) for (u32 lane = LANE_ID(), lane##_once = (mask) >> lane & 1; lane##_once; lane##_once = 0)
#define FOR_TURNS(lane, rank, mask, from)                                                                                          \
    for (u32 lane = LANE_ID(), rank = rank_in_turn(mask, from, lane), lane##_once = (mask) >> lane & 1; lane##_once;               \
         lane##_once = 0)
#define OF(lane)      0
#define lane_is(lane) (LANE_ID() == (lane))
#define lane_first()  (LANE_ID() == 0u)

static inline u32 lane_lowest(u32 word)
{
    return ws_ctz(word);
}

static inline u32 lanes_agree(PRIVATE const u32 *value, u32 mask)
{
    return 0; /* the memory system merges equal addresses */
}

#if defined(WS_LANES_PTX) || defined(WS_LANES_SUBGROUP)
#include "lanes/warp.h"
#else
#include "lanes/group.h"
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
