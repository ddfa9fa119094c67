/* A comparison on its way: a database in memory with the kernels of both files. */
#pragma once

#include "results/sql.h"

/* Keeps the chosen points and traces of the tables a and b, of files of these paths; those of b get the names of a. Values in names
 * of points are read as in configurations (l1.size=16K). Refuses a name that a table has not, with those that it has. */
enum ws_status ws_compare_choose(struct ws_results *comparison, const char *path_a, const char *path_b,
                                 const struct ws_compare_options *options, struct ws_error *error);

/* Makes of the tables a and b (WS_COMPARE_KEY, state, what is compared) the tables that are reported:
 * kernel: every kernel with its states in both files, NULL where it has not run, and whether it has changed;
 * measure: every metric of those that ended well in both. names are those of the columns m0, m1, ... */
enum ws_status ws_compare_match(struct ws_results *comparison, const char **names, size_t count, double tolerance,
                                struct ws_error *error);

/* Makes the table setting of the tables a and b: every parameter in which the machines of a point differ, with its values in both
 * files. */
enum ws_status ws_compare_settings(struct ws_results *comparison, struct ws_results *a, struct ws_results *b,
                                   struct ws_error *error);

/* Executes insert, of the comparison, with every row that select, of a file, answers. */
enum ws_status ws_compare_copy_rows(struct ws_results *results, sqlite3_stmt *select, struct ws_results *comparison,
                                    sqlite3_stmt *insert, struct ws_error *error);

/* Reports them. */
enum ws_status ws_compare_report(struct ws_results *comparison, const struct ws_compare_sink *sink,
                                 struct ws_compare_summary *summary, struct ws_error *error);

#define WS_COMPARE_KEY "experiment, point, trace, shards"
