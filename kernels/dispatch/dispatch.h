/* How thread blocks get their resources. A way of dispatch defines:
 *   dispatch    lets in what fits now; its warps are selectable from a cycle on
 * Blocks and warps end through barriers.h, which all share. A pipeline defines:
 *   admit       a warp has entered its slot: its path begins, it is selectable from a cycle on */
#ifndef WS_DISPATCH_DISPATCH_H
#define WS_DISPATCH_DISPATCH_H

#include "dispatch/barriers.h"
#include "path/path.h"

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle);

static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle);

#endif
