/* Results files: SQLite databases of what sweeps found (docs/results.md). A struct ws_results is used by one thread at a time; several
 * threads or processes may each open the same file. */
#ifndef WARPSWEEP_RESULTS_H
#define WARPSWEEP_RESULTS_H

#include <stddef.h>
#include <stdio.h>

#include "warpsweep/status.h"

struct ws_results;

/* READ needs an existing file and changes nothing; WRITE makes the file when it is not there. */
enum ws_results_access { WS_RESULTS_READ, WS_RESULTS_WRITE };

/* Opens a results file. What is no database, not ours, of a newer version or of other parameters and counters is
 * WS_STATUS_bad_input; what cannot be opened, read or written is WS_STATUS_no_file. Several processes may have one file open.
 * *results is to be closed. */
enum ws_status ws_results_open(const char *path, enum ws_results_access access, struct ws_results **results,
                               struct ws_error *error);

/* Leaves one file behind, without a log, unless another process still uses it. Frees results in every case; NULL is allowed. */
enum ws_status ws_results_close(struct ws_results *results, struct ws_error *error);

/* A row of an answer; texts are valid until the callback returns, a value is NULL for SQL's NULL. */
struct ws_results_row {
    size_t count;
    const char **names;
    const char **values;
};

/* Asks one question in SQL over the tables and views of docs/results.md. parameters (NULL, or texts ended by NULL) are bound to ?1,
 * ?2, ... Calls row for each row of the answer; what it returns other than WS_STATUS_ok ends the query and is returned. */
enum ws_status ws_results_query(struct ws_results *results, const char *sql, const char *const *parameters,
                                enum ws_status (*row)(void *context, const struct ws_results_row *row, struct ws_error *error),
                                void *context, struct ws_error *error);

/* Writes the view `result` as CSV (RFC 4180, lines ended by LF) in the order of experiments, points, traces, shards: names first.
 * An empty field is NULL. A stream that takes no more is WS_STATUS_no_file. */
enum ws_status ws_results_export_csv(struct ws_results *results, FILE *out, struct ws_error *error);

#endif
