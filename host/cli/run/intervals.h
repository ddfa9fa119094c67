/* Counters over time: a CSV file with a row for each interval of a run (docs/results.md). */
#pragma once

#include "base/output.h"
#include "warpsweep/engine.h"
#include "warpsweep/results.h"

enum { CLI_INTERVAL = 1000, CLI_INTERVAL_MOST = 1 << 17 }; /* cycles; the longest quantum of an engine */

struct cli_intervals {
    struct ws_output output;
    struct ws_metric_query *query;
    double *metrics; /* room for those of a row */
    u32 cycles;      /* of an interval */
    u64 from, end;   /* of the row to come; cycles from the beginning of the run */
    u64 counters[WS_COUNTERS];
    struct ws_error error; /* the first that a row met */
};

/* Opens path for the rows of a run on the machine, and writes the names of the columns: from, to, metrics, counters. */
enum ws_status cli_intervals_open(struct cli_intervals *intervals, const char *path, const struct ws_machine *machine, u32 cycles,
                                  struct ws_error *error);

/* Adds a quantum that began in a cycle and has these counters. A row ends with the first quantum that reaches a multiple of the
 * interval; quanta before the row to come, of a run that was begun again, are passed over. */
void cli_intervals_add(struct cli_intervals *intervals, u64 from, const u64 *counters);

/* Writes the last row and puts the file in its place or, unless keep, removes it. */
enum ws_status cli_intervals_close(struct cli_intervals *intervals, bool keep, struct ws_error *error);
