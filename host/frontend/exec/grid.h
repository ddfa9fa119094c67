/* Running the blocks of a launch. */
#pragma once

#include "frontend/exec/block.h"

/* Runs all blocks, one after another. While the started ones wait for another block, the next one starts. They are recorded in
 * writer, if there is one. *instructions receives how many thread instructions they executed; after a failure, those of whole
 * turns; *end how it ended. *serial: as in struct ws_ndrange. */
enum ws_status ws_grid_run(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_trace_writer *writer,
                           u64 *instructions, enum ws_execution_end *end, bool *serial, struct ws_error *error);

/* After the first block: runs the others on options->workers cores, if they do not depend on each other. False: none has been run,
 * and memory is as before. *depend: this has been tried, for nothing. In parallel.c. */
bool ws_grid_run_parallel(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_totals *totals, bool *depend);
