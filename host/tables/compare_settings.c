/* Parameters of points that differ between two results files. */
#include <stdio.h>

#include "base/error.h"
#include "results/schema/columns.h"
#include "tables/compare.h"
#include "warpsweep/machine.h"

enum { LONGEST_SCRIPT = 600 };

static const char pair_points[] =
    "CREATE TABLE pair AS SELECT experiment, point, a.point_position AS point_position, a.machine_digest AS a, "
    "b.machine_digest AS b FROM a JOIN b USING (" WS_COMPARE_KEY ") WHERE a.machine_digest <> b.machine_digest GROUP BY 1, 2;"
    "CREATE TABLE setting (experiment, point, point_position, number, parameter, a, b)";

/* Adds the table machine_a or machine_b: parameters of all machines of a file. */
static enum ws_status make_table(struct ws_results *comparison, char file, sqlite3_stmt **insert, struct ws_error *error)
{
    size_t parameters;
    struct ws_text make = {0}, put = {0};
    ws_parameters(&parameters);
    ws_text_add(&make, "CREATE TABLE machine_%c (machine_digest PRIMARY KEY", file);
    ws_add_parameter_columns(&make, false);
    ws_text_add(&make, ")");
    ws_text_add(&put, "INSERT INTO machine_%c VALUES (?", file);
    for (size_t n = 0; n < parameters; n++)
        ws_text_add(&put, ", ?");
    ws_text_add(&put, ")");
    enum ws_status status =
        make.failed || put.failed ? ws_sql_no_memory(comparison, error) : ws_sql_run(comparison, make.data, "make tables", error);
    WS_THEN(status, ws_sql_prepare(comparison, put.data, insert, error));
    ws_text_free(&make);
    ws_text_free(&put);
    return status;
}

static enum ws_status take_machines(struct ws_results *results, struct ws_results *comparison, char file, struct ws_error *error)
{
    sqlite3_stmt *select = NULL, *insert = NULL;
    struct ws_text sql = {0};
    ws_text_add(&sql, "SELECT machine_digest");
    ws_add_parameter_columns(&sql, false);
    ws_text_add(&sql, " FROM machine");
    enum ws_status status = make_table(comparison, file, &insert, error);
    if (status == WS_STATUS_ok)
        status = sql.failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql.data, &select, error);
    WS_THEN(status, ws_compare_copy_rows(results, select, comparison, insert, error));
    ws_text_free(&sql);
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
    return status;
}

static enum ws_status compare_parameter(struct ws_results *comparison, size_t n, struct ws_error *error)
{
    size_t count;
    const char *const key = ws_parameters(&count)[n].key;
    const struct ws_column_name column = ws_parameter_column(n);
    char script[LONGEST_SCRIPT];
    snprintf(script, sizeof script,
             "INSERT INTO setting SELECT experiment, point, point_position, %zu, '%s', machine_a.%s, machine_b.%s FROM pair "
             "JOIN machine_a ON machine_a.machine_digest = pair.a JOIN machine_b ON machine_b.machine_digest = pair.b "
             "WHERE machine_a.%s <> machine_b.%s",
             n, key, column.name, column.name, column.name, column.name);
    return ws_sql_run(comparison, script, "compare", error);
}

enum ws_status ws_compare_settings(struct ws_results *comparison, struct ws_results *a, struct ws_results *b,
                                   struct ws_error *error)
{
    size_t parameters;
    sqlite3_int64 pairs;
    ws_parameters(&parameters);
    WS_TRY(ws_sql_run(comparison, pair_points, "compare", error));
    WS_TRY(ws_sql_number(comparison, "SELECT count(*) FROM pair", &pairs, error));
    if (pairs == 0)
        return WS_STATUS_ok;
    WS_TRY(take_machines(a, comparison, 'a', error));
    WS_TRY(take_machines(b, comparison, 'b', error));
    for (size_t n = 0; n < parameters; n++)
        WS_TRY(compare_parameter(comparison, n, error));
    return WS_STATUS_ok;
}
