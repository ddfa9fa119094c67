/* How thread blocks get their resources. A way of dispatch defines:
 *   dispatch        lets in what fits now; its warps are selectable from a cycle on
 *   dispatch_next   next cycle in which more fits although nothing has ended, WS_NEVER for none
 *   unissued_warps  warps that have not entered, of blocks that have
 *   block_unissued  the same for the block in a block slot
 *   slot_returns    the warp has ended (retired) before its block
 * Blocks and warps end through barriers.h, which all ways share. A pipeline defines:
 *   admit           a warp has entered its slot: its path begins, and it is selectable from a cycle on */
#ifndef WS_DISPATCH_DISPATCH_H
#define WS_DISPATCH_DISPATCH_H

#include "dispatch/barriers.h"
#include "path/path.h"

static inline void admit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 cycle);

static inline u32 dispatch_next(PRIVATE const struct sm *sm);

static inline void dispatch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 cycle);

#endif
