/* Threads that execute in lockstep. A warp keeps a stack of paths as hardware does: where a branch diverges, the lanes that take it
 * go first, then the others, and both reconverge at the branch's reconvergence point (docs/frontend.md, "Lockstep"). */
#pragma once

#include "frontend/exec/block.h"

/* Runs the warp for a turn: until no lane runs, a lane has a fault, or others should have their turn (turn.c). recorders: one per
 * thread of the block, or NULL. False after a fault, which run->thread says. */
bool ws_warp_run(struct ws_run *run, struct ws_warp *warp, struct ws_recorder *recorders);
