/* Warp-wide operations: lanes of a warp that exchange values. Warps are those of 32 threads in the order of their numbers; a warp
 * of lockstep (warp.h) is one or two of them. An operation with a member mask waits until all members that have not ended have
 * arrived. After a divergence the missing lanes run first, even those waiting at a reconvergence point. */
#pragma once

#include "frontend/exec/block.h"
#include "frontend/exec/turn.h"
#include "frontend/ptx/matrix.h"
#include "frontend/ptx/warpgroup.h"

/* The topmost path waits at a warp-wide operation: executes it, or runs the lanes it waits for. */
enum ws_turn ws_warp_wide_meet(struct ws_run *run, struct ws_warp *warp);

/* The same at a barrier for part of the block (partial.c): it may have to wait for other warps. */
enum ws_turn ws_partial_meet(struct ws_run *run, struct ws_warp *warp);

/* Refuses a lockstep width that splits the warps of 32 of a kernel with warp-wide operations. */
enum ws_status ws_warp_wide_check(const struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_error *error);

/* ---- exchange.c ---- */

/* One lane's view of its warp of 32. */
struct ws_exchange {
    const struct ws_op *op;
    u32 lane, members;                       /* members: lanes whose values it sees, including itself */
    const u64 (*sources)[WS_MATRIX_SOURCES]; /* by lane: all sources, for matrix operations */
    const u64 *values;                       /* by lane: src[0] of the members; of a vote, 0 or 1 */
    const struct ws_wgmma_tile *tile;        /* of a wgmma */
    u64 executed;                            /* instructions of the thread so far, including this one */
    u64 *slot;                               /* of the lane */
    u32 absent;                              /* receives 1 + the lane that a shuffle reads, if its value is undefined; else 0 */
};

/* The lane's part of the operation: writes its destinations. */
void ws_exchange(struct ws_exchange *exchange);
