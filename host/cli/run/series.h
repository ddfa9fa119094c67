/* Counters over time (docs/results.md): a row of metrics, counters and gauges for each interval of a run. */
#pragma once

#include "base/documents/json.h"
#include "base/output.h"
#include "warpsweep/engine.h"
#include "warpsweep/results.h"

enum { CLI_INTERVAL = 1000, CLI_INTERVAL_MOST = 1 << 30, CLI_SERIES_NAME = 64 }; /* cycles; bytes of a column's name */

enum cli_series_kind { CLI_SERIES_METRIC, CLI_SERIES_COUNTER, CLI_SERIES_GAUGE };

struct cli_series_column {
    char name[CLI_SERIES_NAME];
    const char *unit;
    enum cli_series_kind kind;
    u32 index; /* in the table of its kind; of counters: in the counters of a job */
};

/* What a series has. Starts as {0}; freed by cli_series_columns_free. */
struct cli_series_columns {
    struct cli_series_column *column;
    size_t count;
};

/* Adds the columns of a list "ipc,l1_misses"; NULL: the standard ones of series.def, "all": every one, metrics first. A histogram's
 * name stands for all its bins. WS_STATUS_usage names an unknown one. */
enum ws_status cli_series_choose(const char *names, struct cli_series_columns *columns, struct ws_error *error);
void cli_series_columns_free(struct cli_series_columns *columns);

struct cli_series {
    const struct cli_series_columns *columns;
    void (*count)(void *context, const char *name, u64 cycle, double value); /* receives each value; NULL for none */
    void *context;
    struct ws_output output; /* a CSV file, if written */
    bool written;
    u32 cycles; /* of an interval */
    struct ws_metric_query *query;
    double *metrics; /* room for one row */
    u64 from, end;   /* of the row; cycles since the start of the run */
    u64 counters[WS_COUNTERS];
    u32 gauges[WS_GAUGES], noted[WS_GAUGES]; /* at the end of the row; of the quantum that comes */
    double *rows;                            /* of each row its end, then its columns; NaN for none */
    size_t row_count;
    struct ws_error error; /* the first */
};

/* Opens a series of a run on a machine, by intervals of so many cycles. path: a CSV file for its rows, or NULL. Set count
 * afterwards. */
enum ws_status cli_series_open(struct cli_series *series, const struct cli_series_columns *columns, u32 cycles, const char *path,
                               const struct ws_machine *machine, struct ws_error *error);

/* Notes the gauges at the end of a quantum; then adds the quantum, which began in a cycle. A row ends at each multiple of the
 * interval; as a quantum without cycles may follow there (what happens at the end of a run), it is complete when the next cycle
 * comes, or at the close. After a restart, quanta before the end of the last one are ignored. */
void cli_series_note(struct cli_series *series, const u32 *gauges);
void cli_series_add(struct cli_series *series, u64 from, const u64 *counters);

/* Adds the last row and moves the file to its path, or removes it unless keep. The rows stay until cli_series_free. */
enum ws_status cli_series_close(struct cli_series *series, bool keep, struct ws_error *error);
void cli_series_free(struct cli_series *series);

/* Adds the rows as a table, or as a member "series". */
void cli_series_text(const struct cli_series *series, struct ws_text *out);
void cli_series_json(const struct cli_series *series, struct ws_json *json);
