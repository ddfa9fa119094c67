/* Running the blocks of a launch. */
#pragma once

#include "frontend/exec/launch/plan.h"

/* Runs all blocks, one after another. While the started ones wait for another block, the next one starts. They are recorded in
 * writer, if there is one. *instructions receives how many thread instructions they executed; after a failure, those of whole
 * turns; *end how it ended. */
enum ws_status ws_grid_run(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_trace_writer *writer,
                           u64 *instructions, enum ws_execution_end *end, struct ws_error *error);
