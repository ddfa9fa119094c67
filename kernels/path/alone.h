/* Warps that keep their threads to themselves: what `pdom` and `serial` share. */
#ifndef WS_PATH_ALONE_H
#define WS_PATH_ALONE_H

#include "dispatch/barriers.h"
#include "path/narrow.h"

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return slots_none();
}

static inline slot_set path_resting(PRIVATE const struct sm *sm)
{
    return slots_none();
}

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

static inline void narrow_moves_on(PRIVATE struct sm *sm, slot_set warps)
{
}

static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    threads_of_row(sm, &packet->threads, mask, packet->slot * sm->machine->core_warp_size, packet->first);
}

/* The warps end. */
static inline void path_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    for (; slots_any(slots); slots = slots_rest(slots))
        warp_ends(sm, lanes, slots_first(slots));
}

#endif
