/* Turns of warps: limits, interruption, and warps that wait for others. */
#pragma once

#include "frontend/exec/block.h"

enum ws_turn { WS_TURN_goes_on, WS_TURN_yields, WS_TURN_failed };

enum ws_turn ws_turn_begin(struct ws_run *run, struct ws_warp *warp);

/* The lanes at the block of path have too small a budget: grants more, or says why not. */
enum ws_turn ws_turn_continue(struct ws_run *run, struct ws_warp *warp, const struct ws_path *path, u64 lanes);

/* Accounts for what has been executed. */
void ws_turn_end(struct ws_run *run);

/* Runs the running thread for a while, unrecorded, and notes its places in run->loop: the loop that stop (WS_STOP_* of an endless
 * thread) reports. */
void ws_turn_find_loop(struct ws_run *run, struct ws_basic_block *block, enum ws_stop stop);
