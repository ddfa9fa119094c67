/* A merge on its way: one transaction of the output, into which the inputs are read one after the other. */
#pragma once

#include "results/sql.h"

struct ws_merge {
    struct ws_results *output, *input;
    const char *const *paths; /* of the inputs */
    size_t file;              /* number of the input that is being read */
    const struct ws_merge_options *options;
    struct ws_merge_counts *counts;
    size_t *kept;
    sqlite3_stmt *set_origin, *find_origin;
    char conflict[800]; /* the first */
    size_t conflicts;
};

/* The path of an input, or of the output for -1. */
const char *ws_merge_path(const struct ws_merge *merge, long file);

/* Remembers that a "job" (by its digest) or "experiment" (by its name) came from the input that is being read; finds which input it
 * came from, -1 for what the output had before. */
enum ws_status ws_merge_set_origin(struct ws_merge *merge, const char *kind, const char *name, struct ws_error *error);
enum ws_status ws_merge_find_origin(struct ws_merge *merge, const char *kind, const char *name, long *file, struct ws_error *error);

/* Notes a conflict; the first one's text is kept. */
void ws_merge_conflict(struct ws_merge *merge, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The stages for one input. */
enum ws_status ws_merge_experiments(struct ws_merge *merge, struct ws_error *error);
enum ws_status ws_merge_jobs(struct ws_merge *merge, struct ws_error *error);

/* ---- Tables ---- */

/* A table of which rows are copied. Its columns that end in _id mean something in one file only; those that refer to other tables
 * are found by what the row referred to is known by. */
struct ws_merge_table {
    const char *name;
    const struct ws_merge_reference {
        const char *table, *key;
    } references[3]; /* ended by {0} */
};
extern const struct ws_merge_table ws_merge_machine, ws_merge_trace, ws_merge_experiment, ws_merge_point, ws_merge_experiment_trace,
    ws_merge_job, ws_merge_block_time, ws_merge_warp_time, ws_merge_block_order;

/* Prepare the reading of a table's rows from input or output (the input's columns without ids, keys of references, then further
 * columns if any) and their insertion into the output; verb is "INSERT" or "INSERT OR IGNORE". */
enum ws_status ws_merge_prepare_select(const struct ws_merge *merge, struct ws_results *from, const struct ws_merge_table *table,
                                       const char *further, const char *condition, sqlite3_stmt **select, struct ws_error *error);
enum ws_status ws_merge_prepare_insert(const struct ws_merge *merge, const struct ws_merge_table *table, const char *verb,
                                       sqlite3_stmt **insert, struct ws_error *error);

/* Copies the rows for which an SQL condition holds; its parameter ?1, if it has one, is not NULL. */
enum ws_status ws_merge_copy(struct ws_merge *merge, const struct ws_merge_table *table, const char *verb, const char *condition,
                             const char *parameter, struct ws_error *error);
