/* Running the blocks of a launch. */
#pragma once

#include "frontend/exec/launch/plan.h"

/* Runs all blocks, one after another; while those that have begun wait for another one, the next begins. They are recorded in
 * writer, if there is one. *instructions receives how many thread instructions the blocks executed that ended. */
enum ws_status ws_grid_run(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_trace_writer *writer,
                           u64 *instructions, struct ws_error *error);
