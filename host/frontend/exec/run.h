/* Running a block. */
#pragma once

#include "frontend/exec/block.h"

/* waits: no other thread of the block can end its wait. runs: may wait, or loop without changing anything. */
enum ws_block_state { WS_BLOCK_runs, WS_BLOCK_waits, WS_BLOCK_ended };

/* Prepares; plan and options must outlive run. To be freed by ws_run_free, also after an error. */
enum ws_status ws_run_make(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_run *run,
                           struct ws_error *error);
void ws_run_free(struct ws_run *run);

/* Starts a block. races is NULL unless races are reported. False when out of memory. */
bool ws_run_begin(struct ws_run *run, u64 block, struct ws_races *races);

/* Runs the block to its end, or until other blocks should have their turn; *state says which. recorders is an array with one per
 * thread, or NULL. At the end of the block fills run->executed. */
enum ws_status ws_run_block(struct ws_run *run, struct ws_totals *totals, struct ws_recorder *recorders, enum ws_block_state *state,
                            struct ws_error *error);
