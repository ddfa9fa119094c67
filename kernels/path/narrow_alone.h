/* Warps of at most 32 threads with a fixed set of threads: shared by `pdom` and `serial`. */
#ifndef WS_PATH_NARROW_ALONE_H
#define WS_PATH_NARROW_ALONE_H

#include "path/alone.h"
#include "path/narrow.h"

static inline u32 narrow_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return slots_pick(&sm->lanes, lanes->mask, warp);
}

static inline u32 narrow_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    return lanes->mask[AT(warp)];
}

static inline u32 narrow_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return warp;
}

static inline void path_moved_on(PRIVATE struct sm *sm, slot_set warps)
{
}

static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    threads_of_row(sm, &packet->threads, mask, packet->slot * MACHINE(sm, core_warp_size), packet->first);
}

#endif
