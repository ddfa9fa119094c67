#include "results/sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names/old_names.h"

/* Status for a result code of SQLite; unlisted ones are WS_STATUS_failed. */
static const struct {
    int code;
    enum ws_status status;
} kinds[] = {
    {SQLITE_NOTADB, WS_STATUS_bad_input}, {SQLITE_CORRUPT, WS_STATUS_bad_input}, {SQLITE_NOMEM, WS_STATUS_no_memory},
    {SQLITE_FULL, WS_STATUS_no_file},     {SQLITE_READONLY, WS_STATUS_no_file},  {SQLITE_CANTOPEN, WS_STATUS_no_file},
    {SQLITE_IOERR, WS_STATUS_no_file},    {SQLITE_PERM, WS_STATUS_no_file},
};

enum ws_status ws_sql_fail(const struct ws_results *results, const char *doing, struct ws_error *error)
{
    const int code = sqlite3_errcode(results->database) & 0xFF;
    enum ws_status status = WS_STATUS_failed;
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (kinds[n].code == code)
            status = kinds[n].status;
    return ws_fail(error, status, "%s: cannot %s: %s", results->path, doing, sqlite3_errmsg(results->database));
}

enum ws_status ws_sql_run(struct ws_results *results, const char *script, const char *doing, struct ws_error *error)
{
    if (sqlite3_exec(results->database, script, NULL, NULL, NULL) != SQLITE_OK)
        return ws_sql_fail(results, doing, error);
    return WS_STATUS_ok;
}

enum ws_status ws_sql_prepare(struct ws_results *results, const char *sql, sqlite3_stmt **statement, struct ws_error *error)
{
    if (sqlite3_prepare_v2(results->database, sql, -1, statement, NULL) != SQLITE_OK)
        return ws_sql_fail(results, "read the results", error);
    return WS_STATUS_ok;
}

int ws_sql_prepare_users(sqlite3 *database, const char *sql, sqlite3_stmt **statement, const char **rest)
{
    int code = sqlite3_prepare_v2(database, sql, -1, statement, rest);
    char *const current = code == SQLITE_OK ? NULL : ws_current_sql(sql, true);
    const char *behind = NULL;
    if (current && sqlite3_prepare_v2(database, current, -1, statement, &behind) == SQLITE_OK) {
        code = SQLITE_OK;
        *rest = strlen(behind) < strlen(sql) ? sql + strlen(sql) - strlen(behind) : sql;
    }
    free(current);
    return code;
}

enum ws_status ws_sql_step(struct ws_results *results, sqlite3_stmt *statement, bool *row, struct ws_error *error)
{
    const int code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return WS_STATUS_ok;
    return ws_sql_fail(results, sqlite3_stmt_readonly(statement) ? "read the results" : "record results", error);
}

enum ws_status ws_sql_execute(struct ws_results *results, sqlite3_stmt *statement, struct ws_error *error)
{
    bool row;
    const enum ws_status status = ws_sql_step(results, statement, &row, error);
    sqlite3_reset(statement);
    return status;
}

void ws_sql_pass_row(sqlite3_stmt *from, sqlite3_stmt *to)
{
    for (int n = 0; n < sqlite3_bind_parameter_count(to); n++)
        sqlite3_bind_value(to, n + 1, sqlite3_column_value(from, n));
}

enum ws_status ws_sql_number(struct ws_results *results, const char *sql, sqlite3_int64 *value, struct ws_error *error)
{
    sqlite3_stmt *statement;
    bool row = false;
    *value = 0;
    WS_TRY(ws_sql_prepare(results, sql, &statement, error));
    const enum ws_status status = ws_sql_step(results, statement, &row, error);
    if (row)
        *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return status;
}

enum ws_status ws_sql_has_schema(struct ws_results *results, const char *schema, bool *has, struct ws_error *error)
{
    sqlite3_int64 rows;
    char question[100];
    snprintf(question, sizeof question, "SELECT count(*) FROM meta WHERE key = 'schema' AND value = '%s'", schema);
    WS_TRY(ws_sql_number(results, question, &rows, error));
    *has = rows > 0;
    return WS_STATUS_ok;
}

enum ws_status ws_sql_begin(struct ws_results *results, struct ws_error *error)
{
    bool ours = true;
    WS_TRY(ws_sql_run(results, "BEGIN IMMEDIATE", "record results", error));
    if (!results->schema[0])
        return WS_STATUS_ok;
    enum ws_status status = ws_sql_has_schema(results, results->schema, &ours, error);
    if (status == WS_STATUS_ok && !ours)
        status =
            ws_fail(error, WS_STATUS_failed,
                    "%s: another warpsweep, with other parameters or counters, has converted the file; run one version at a time",
                    results->path);
    return status == WS_STATUS_ok ? status : ws_sql_end(results, status, error);
}

enum ws_status ws_sql_end(struct ws_results *results, enum ws_status status, struct ws_error *error)
{
    WS_THEN(status, ws_sql_run(results, "COMMIT", "record results", error));
    if (status != WS_STATUS_ok)
        sqlite3_exec(results->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

enum ws_status ws_sql_no_memory(const struct ws_results *results, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", results->path);
}
