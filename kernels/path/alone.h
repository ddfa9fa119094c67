/* Warps that keep their slots: shared by `pdom`, `serial` and `predecoded`. */
#ifndef WS_PATH_ALONE_H
#define WS_PATH_ALONE_H

#include "dispatch/barriers.h"
#include "path/whole.h"

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return slots_none();
}

static inline slot_set path_resting(PRIVATE const struct sm *sm)
{
    return slots_none();
}

/* The warps end. */
static inline void path_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    for (; slots_any(slots); slots = slots_rest(slots))
        warp_ends(sm, lanes, slots_first(slots));
}

#endif
