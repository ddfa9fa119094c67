/* A running merge: one transaction of the output, into which inputs are read one after another. */
#pragma once

#include "results/sql.h"

struct ws_merge {
    struct ws_results *output, *input;
    const char *const *paths; /* of the inputs */
    size_t file;              /* number of the current input */
    const struct ws_merge_options *options;
    struct ws_merge_counts *counts;
    size_t *kept;
    sqlite3_stmt *set_origin, *find_origin;
    char conflict[800]; /* the first */
    size_t conflicts;
};

/* The path of an input, or of the output for -1. */
const char *ws_merge_path(const struct ws_merge *merge, long file);

/* Notes that a "job" (digest) or "experiment" (name) came from the current input; returns its earlier origin, -1 for the output
 * itself. */
enum ws_status ws_merge_set_origin(struct ws_merge *merge, const char *kind, const char *name, struct ws_error *error);
enum ws_status ws_merge_find_origin(struct ws_merge *merge, const char *kind, const char *name, long *file, struct ws_error *error);

/* Notes a conflict; the first one's text is kept. */
void ws_merge_conflict(struct ws_merge *merge, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The stages for one input. */
enum ws_status ws_merge_experiments(struct ws_merge *merge, struct ws_error *error);
enum ws_status ws_merge_jobs(struct ws_merge *merge, struct ws_error *error);

/* ---- Tables ---- */

/* A table whose rows are copied. Its columns that end in _id are local to one file. References to other tables are translated by
 * the key of the target row. */
struct ws_merge_table {
    const char *name;
    const struct ws_merge_reference {
        const char *table, *key;
    } references[3]; /* ended by {0} */
};
extern const struct ws_merge_table ws_merge_machine, ws_merge_trace, ws_merge_experiment, ws_merge_point, ws_merge_experiment_trace,
    ws_merge_job, ws_merge_block_time, ws_merge_warp_time, ws_merge_block_order;

/* Prepare reading a table's rows from input or output (columns without ids, keys of references, then extra columns) and inserting
 * them into the output; verb is "INSERT" or "INSERT OR IGNORE". */
enum ws_status ws_merge_prepare_select(const struct ws_merge *merge, struct ws_results *from, const struct ws_merge_table *table,
                                       const char *further, const char *condition, sqlite3_stmt **select, struct ws_error *error);
enum ws_status ws_merge_prepare_insert(const struct ws_merge *merge, const struct ws_merge_table *table, const char *verb,
                                       sqlite3_stmt **insert, struct ws_error *error);

/* Copies the rows that satisfy an SQL condition; its parameter ?1, if any, is not NULL. */
enum ws_status ws_merge_copy(struct ws_merge *merge, const struct ws_merge_table *table, const char *verb, const char *condition,
                             const char *parameter, struct ws_error *error);
