/* Several traces in sequence: the combined output of `run`. */
#pragma once

#include "cli/run/run_report.h"
#include "cli/table.h"

/* Starts as {0}; freed by cli_run_set_free. */
struct cli_run_set {
    struct cli_table table;
    u64 counters[WS_COUNTERS]; /* of all runs */
    size_t runs;
};

/* Adds a successful run. */
void cli_run_set_add(struct cli_run_set *set, const struct cli_run *run);

/* Adds a table with a row for each run and a row of sums. */
enum ws_status cli_run_set_print(struct cli_run_set *set, const struct ws_machine *machine, struct ws_text *out,
                                 struct ws_error *error);
void cli_run_set_free(struct cli_run_set *set);
