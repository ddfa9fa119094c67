/* SQLite calls with error messages. Messages begin with the path of the results file. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "warpsweep/results.h"

struct ws_results {
    sqlite3 *database;
    char *path;
    bool writes;
    bool made;       /* created here, or found empty */
    char schema[17]; /* of this build, once the file has it; empty before */
};

/* Fails with SQLite's message for its last call; doing completes "cannot ...". */
enum ws_status ws_sql_fail(const struct ws_results *results, const char *doing, struct ws_error *error);

/* Runs a script without results. */
enum ws_status ws_sql_run(struct ws_results *results, const char *script, const char *doing, struct ws_error *error);

/* Prepares a statement, to be freed by sqlite3_finalize. */
enum ws_status ws_sql_prepare(struct ws_results *results, const char *sql, sqlite3_stmt **statement, struct ws_error *error);

/* Like sqlite3_prepare_v2, for a user's SQL: on failure, retries with current names for old columns (base/names/old_names.def). */
int ws_sql_prepare_users(sqlite3 *database, const char *sql, sqlite3_stmt **statement, const char **rest);

/* Steps once; *row: whether there is a row. */
enum ws_status ws_sql_step(struct ws_results *results, sqlite3_stmt *statement, bool *row, struct ws_error *error);

/* Steps a statement without results, then resets it. */
enum ws_status ws_sql_execute(struct ws_results *results, sqlite3_stmt *statement, struct ws_error *error);

/* Binds the values of the current row of `from` to the parameters of `to`, from 1 on. */
void ws_sql_pass_row(sqlite3_stmt *from, sqlite3_stmt *to);

/* First integer of a query's first row; 0 without rows. */
enum ws_status ws_sql_number(struct ws_results *results, const char *sql, sqlite3_int64 *value, struct ws_error *error);

/* Whether `meta` records this schema: a digest of tables and views. */
enum ws_status ws_sql_has_schema(struct ws_results *results, const char *schema, bool *has, struct ws_error *error);

/* A write transaction; refused if another build has converted the file since it was opened. ws_sql_end commits if status is
 * WS_STATUS_ok, else rolls back; returns status. */
enum ws_status ws_sql_begin(struct ws_results *results, struct ws_error *error);
enum ws_status ws_sql_end(struct ws_results *results, enum ws_status status, struct ws_error *error);

static inline const char *ws_sql_text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

/* Binds a copy. */
static inline void ws_sql_bind_text(sqlite3_stmt *statement, int n, const char *text)
{
    sqlite3_bind_text(statement, n, text, -1, SQLITE_TRANSIENT);
}

/* WS_STATUS_no_memory. */
enum ws_status ws_sql_no_memory(const struct ws_results *results, struct ws_error *error);
