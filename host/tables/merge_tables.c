#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "tables/merge.h"

const struct ws_merge_table ws_merge_machine = {"machine", {{0}}};
const struct ws_merge_table ws_merge_trace = {"trace", {{0}}};
const struct ws_merge_table ws_merge_experiment = {"experiment", {{0}}};
const struct ws_merge_table ws_merge_point = {"point", {{"experiment", "experiment"}, {"machine", "machine_digest"}}};
const struct ws_merge_table ws_merge_experiment_trace = {"experiment_trace",
                                                         {{"experiment", "experiment"}, {"trace", "trace_digest"}}};
const struct ws_merge_table ws_merge_job = {"job", {{"machine", "machine_digest"}, {"trace", "trace_digest"}}};
const struct ws_merge_table ws_merge_block_time = {"block_time", {{"job", "job_digest"}}};
const struct ws_merge_table ws_merge_warp_time = {"warp_time", {{"job", "job_digest"}}};
const struct ws_merge_table ws_merge_block_order = {"block_order", {{"job", "job_digest"}}};

static enum ws_status prepare(struct ws_results *results, struct ws_text *sql, sqlite3_stmt **statement, struct ws_error *error)
{
    const enum ws_status status =
        sql->failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql->data, statement, error);
    ws_text_free(sql);
    return status;
}

static bool is_id(const char *column)
{
    const size_t length = strlen(column);
    return length > 3 && strcmp(column + length - 3, "_id") == 0;
}

/* Adds the columns without ids, each after prefix; *count says how many. */
static enum ws_status add_columns(struct ws_results *results, const char *table, const char *prefix, struct ws_text *sql,
                                  int *count, struct ws_error *error)
{
    struct ws_text question = {0};
    sqlite3_stmt *all;
    ws_text_add(&question, "SELECT * FROM %s", table);
    WS_TRY(prepare(results, &question, &all, error));
    *count = 0;
    for (int n = 0; n < sqlite3_column_count(all); n++)
        if (!is_id(sqlite3_column_name(all, n)))
            ws_text_add(sql, "%s%s%s", (*count)++ > 0 ? ", " : "", prefix, sqlite3_column_name(all, n));
    sqlite3_finalize(all);
    return WS_STATUS_ok;
}

enum ws_status ws_merge_prepare_select(const struct ws_merge *merge, struct ws_results *from, const struct ws_merge_table *table,
                                       const char *further, const char *condition, sqlite3_stmt **select, struct ws_error *error)
{
    struct ws_text sql = {0}, prefix = {0};
    int count = 0;
    ws_text_add(&sql, "SELECT ");
    ws_text_add(&prefix, "%s.", table->name);
    const enum ws_status status = add_columns(merge->input, table->name, prefix.failed ? "" : prefix.data, &sql, &count, error);
    for (const struct ws_merge_reference *to = table->references; to->table; to++)
        ws_text_add(&sql, ", %s.%s", to->table, to->key);
    ws_text_add(&sql, "%s FROM %s", further, table->name);
    for (const struct ws_merge_reference *to = table->references; to->table; to++)
        ws_text_add(&sql, " JOIN %s USING (%s_id)", to->table, to->table);
    ws_text_add(&sql, " WHERE %s ORDER BY %s.%s_id", condition, table->name, table->name);
    sql.failed = sql.failed || prefix.failed;
    ws_text_free(&prefix);
    if (status == WS_STATUS_ok)
        return prepare(from, &sql, select, error);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_merge_prepare_insert(const struct ws_merge *merge, const struct ws_merge_table *table, const char *verb,
                                       sqlite3_stmt **insert, struct ws_error *error)
{
    struct ws_text sql = {0};
    int count = 0;
    ws_text_add(&sql, "%s INTO %s (", verb, table->name);
    const enum ws_status status = add_columns(merge->input, table->name, "", &sql, &count, error);
    for (const struct ws_merge_reference *to = table->references; to->table; to++)
        ws_text_add(&sql, ", %s_id", to->table);
    for (int n = 0; n < count; n++)
        ws_text_add(&sql, n > 0 ? ", ?" : ") VALUES (?");
    for (const struct ws_merge_reference *to = table->references; to->table; to++)
        ws_text_add(&sql, ", (SELECT %s_id FROM %s WHERE %s = ?)", to->table, to->table, to->key);
    ws_text_add(&sql, ")");
    if (status == WS_STATUS_ok)
        return prepare(merge->output, &sql, insert, error);
    ws_text_free(&sql);
    return status;
}

static enum ws_status copy_rows(struct ws_merge *merge, sqlite3_stmt *select, sqlite3_stmt *insert, struct ws_error *error)
{
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(merge->input, select, &row, error));
        if (!row)
            return WS_STATUS_ok;
        ws_sql_pass_row(select, insert);
        WS_TRY(ws_sql_execute(merge->output, insert, error));
    }
}

enum ws_status ws_merge_copy(struct ws_merge *merge, const struct ws_merge_table *table, const char *verb, const char *condition,
                             const char *parameter, struct ws_error *error)
{
    sqlite3_stmt *select = NULL, *insert = NULL;
    enum ws_status status = ws_merge_prepare_select(merge, merge->input, table, "", condition, &select, error);
    WS_THEN(status, ws_merge_prepare_insert(merge, table, verb, &insert, error));
    if (status == WS_STATUS_ok) {
        if (parameter)
            sqlite3_bind_text(select, 1, parameter, -1, SQLITE_STATIC);
        status = copy_rows(merge, select, insert, error);
    }
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
    return status;
}
