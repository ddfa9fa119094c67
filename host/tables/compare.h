/* A running comparison: an in-memory database with the kernels of both files. */
#pragma once

#include "results/sql.h"

/* Keeps the chosen points and traces of the tables a and b (files of these paths); renames those of b to those of a. Parses values
 * in point names as configurations do (l1.size=16K). Refuses an unknown name, and lists the known ones. */
enum ws_status ws_compare_choose(struct ws_results *comparison, const char *path_a, const char *path_b,
                                 const struct ws_compare_options *options, struct ws_error *error);

/* Converts the tables a and b (WS_COMPARE_KEY, state, compared columns) to report tables: kernel: every kernel with its state in
 * both files (NULL: not run), and whether it has changed; measure: every metric of kernels complete in both. names: of the columns
 * m0, m1, ... */
enum ws_status ws_compare_match(struct ws_results *comparison, const char **names, size_t count, double tolerance,
                                struct ws_error *error);

/* Makes the table setting from the tables a and b: every parameter in which the machines of a point differ, with both values. */
enum ws_status ws_compare_settings(struct ws_results *comparison, struct ws_results *a, struct ws_results *b,
                                   struct ws_error *error);

/* Executes insert, in the comparison, for every row of select, in a file. */
enum ws_status ws_compare_copy_rows(struct ws_results *results, sqlite3_stmt *select, struct ws_results *comparison,
                                    sqlite3_stmt *insert, struct ws_error *error);

/* Reports them. */
enum ws_status ws_compare_report(struct ws_results *comparison, const struct ws_compare_sink *sink,
                                 struct ws_compare_summary *summary, struct ws_error *error);

#define WS_COMPARE_KEY "experiment, point, trace, shards"
