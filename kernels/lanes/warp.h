/* Forms ptx and subgroup: the lanes are a hardware warp, collectives are its instructions. */
#ifndef WS_LANES_WARP_H
#define WS_LANES_WARP_H

/* warp_fence, warp_ballot, warp_any, warp_least, warp_pick, and warp_alike if WARP_ALIKE is defined: for lanes that run together.
 * Only warp_fence orders memory. */
#ifdef WS_LANES_PTX
#include "lanes/ptx.h"
#else
#include "lanes/subgroup.h"
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
}

static inline void lanes_fence(PRIVATE struct lanes *lanes)
{
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

#endif
