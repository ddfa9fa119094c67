/* Counters over time: a CSV file with a row for each interval of a run (docs/results.md). */
#pragma once

#include "base/output.h"
#include "warpsweep/engine.h"
#include "warpsweep/results.h"

enum { CLI_INTERVAL = 1000, CLI_INTERVAL_MOST = 1 << 17 }; /* cycles; the longest quantum of an engine */

struct cli_intervals {
    struct ws_output output;
    struct ws_metric_query *query;
    double *metrics; /* room for one row */
    u32 cycles;      /* of an interval */
    u64 from, end;   /* next row; cycles since the start of the run */
    u64 counters[WS_COUNTERS];
    struct ws_error error; /* first quantum of the row */
};

/* Opens path for the rows of a run, and writes the column names: from, to, metrics, counters. */
enum ws_status cli_intervals_open(struct cli_intervals *intervals, const char *path, const struct ws_machine *machine, u32 cycles,
                                  struct ws_error *error);

/* Adds the counters of a quantum that began in a cycle. A row ends with the first quantum that reaches a multiple of the interval.
 * After a restart, quanta before the next row are ignored. */
void cli_intervals_add(struct cli_intervals *intervals, u64 from, const u64 *counters);

/* Writes the last row and moves the file to its path, or removes it unless keep. */
enum ws_status cli_intervals_close(struct cli_intervals *intervals, bool keep, struct ws_error *error);
