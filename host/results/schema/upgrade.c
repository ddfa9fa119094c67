#include "results/schema/upgrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/names/old_names.h"
#include "results/identity.h"
#include "results/schema/columns.h"
#include "results/schema/schema.h"
#include "warpsweep/machine.h"

/* ---- Columns ---- */

/* A column of a table, from pragma_table_info; standard is an SQL literal, or NULL. */
struct column {
    const char *table, *name, *type, *standard;
    bool required; /* NOT NULL */
};

typedef enum ws_status column_function(struct ws_results *to, const struct ws_results *from, const struct column *column,
                                       struct ws_error *error);

static enum ws_status add_column(struct ws_results *to, const struct ws_results *from, const struct column *column,
                                 struct ws_error *error)
{
    (void)from;
    char *const sql = sqlite3_mprintf("ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s%s%s%s", column->table, column->name, column->type,
                                      column->required ? " NOT NULL" : "", column->standard ? " DEFAULT " : "",
                                      column->standard ? column->standard : "");
    char doing[200];
    snprintf(doing, sizeof doing, "add the column %s.%s", column->table, column->name);
    const enum ws_status status = sql ? ws_sql_run(to, sql, doing, error) : ws_sql_no_memory(to, error);
    sqlite3_free(sql);
    return status;
}

/* Rows inserted by this build would have no value there. */
static enum ws_status refuse_required(struct ws_results *to, const struct ws_results *from, const struct column *column,
                                      struct ws_error *error)
{
    (void)to;
    if (!column->required || column->standard)
        return WS_STATUS_ok;
    return ws_fail(
        error, WS_STATUS_bad_input,
        "%s: column %s.%s has no default, and this warpsweep does not know it; use the one that wrote the file, or a new file",
        from->path, column->table, column->name);
}

static enum ws_status for_rows(struct ws_results *to, struct ws_results *from, sqlite3_stmt *columns, sqlite3_stmt *lacks,
                               column_function *use, struct ws_error *error)
{
    for (;;) {
        bool row, lacking;
        WS_TRY(ws_sql_step(from, columns, &row, error));
        if (!row)
            return WS_STATUS_ok;
        const struct column column = {.table = ws_sql_text(columns, 0),
                                      .name = ws_sql_text(columns, 1),
                                      .type = ws_sql_text(columns, 2),
                                      .required = sqlite3_column_int(columns, 3) != 0,
                                      .standard = ws_sql_text(columns, 4)};
        ws_sql_bind_text(lacks, 1, column.table);
        ws_sql_bind_text(lacks, 2, column.name);
        WS_TRY(ws_sql_step(to, lacks, &row, error));
        lacking = row && sqlite3_column_int(lacks, 0) != 0;
        sqlite3_reset(lacks);
        if (lacking)
            WS_TRY(use(to, from, &column, error));
    }
}

/* Visits each column of `from` that the table of the same name in `to` lacks. */
static enum ws_status for_lacking(struct ws_results *to, struct ws_results *from, column_function *use, struct ws_error *error)
{
    sqlite3_stmt *columns = NULL, *lacks = NULL;
    enum ws_status status = ws_sql_prepare(from,
                                           "SELECT t.name, c.name, c.type, c.\"notnull\", c.dflt_value FROM sqlite_master AS t "
                                           "JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'",
                                           &columns, error);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(to,
                                "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1) "
                                "AND NOT EXISTS (SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2)",
                                &lacks, error);
    WS_THEN(status, for_rows(to, from, columns, lacks, use, error));
    sqlite3_finalize(columns);
    sqlite3_finalize(lacks);
    return status;
}

enum ws_status ws_take_columns(struct ws_results *to, struct ws_results *from, struct ws_error *error)
{
    return for_lacking(to, from, add_column, error);
}

/* The tables of this build, without rows. */
static enum ws_status make_model(struct ws_results *model, struct ws_error *error)
{
    struct ws_text script = {0};
    enum ws_status status = WS_STATUS_ok;
    ws_schema_tables(&script);
    if (script.failed)
        status = ws_sql_no_memory(model, error);
    else if (sqlite3_open(":memory:", &model->database) != SQLITE_OK)
        status = ws_sql_fail(model, "begin", error);
    WS_THEN(status, ws_sql_run(model, script.data, "make tables", error));
    ws_text_free(&script);
    return status;
}

static enum ws_status complete_columns(struct ws_results *results, struct ws_error *error)
{
    struct ws_results model = {.path = (char[]){"the tables of this warpsweep"}};
    enum ws_status status = make_model(&model, error);
    if (status == WS_STATUS_ok && results->writes)
        status = for_lacking(&model, results, refuse_required, error);
    WS_THEN(status, ws_take_columns(results, &model, error));
    sqlite3_close(model.database);
    return status;
}

/* ---- Digests ---- */

/* Computes a digest of an answer's current row. */
typedef u64 digest_function(sqlite3_stmt *row, const void *context);

/* The default of each column of machine. */
struct standard {
    char value[64];
};

static u64 machine_digest(sqlite3_stmt *row, const void *context)
{
    const struct standard *const standards = context;
    u64 digest = 0;
    for (int n = 2; n < sqlite3_column_count(row); n++) { /* behind machine_id and machine_digest */
        const char *const value = ws_sql_text(row, n);
        if (value && strcmp(value, standards[n].value) != 0)
            digest += ws_setting_digest(sqlite3_column_name(row, n), value);
    }
    return digest;
}

/* Columns: job_id, machine_digest, trace_digest, shard, shards, model_version. */
static u64 job_digest(sqlite3_stmt *row, const void *context)
{
    (void)context;
    return ws_job_digest(strtoull(ws_sql_text(row, 1), NULL, 16), strtoull(ws_sql_text(row, 2), NULL, 16),
                         (u32)sqlite3_column_int64(row, 3), (u32)sqlite3_column_int64(row, 4), sqlite3_column_int(row, 5));
}

/* Stores the digest of each row of `rows`; `update` takes the row's first column and the digest. */
static enum ws_status store_digests(struct ws_results *results, sqlite3_stmt *rows, const char *update, digest_function *digest,
                                    const void *context, struct ws_error *error)
{
    sqlite3_stmt *store;
    bool row = true;
    enum ws_status status = ws_sql_prepare(results, update, &store, error);
    while (status == WS_STATUS_ok) {
        status = ws_sql_step(results, rows, &row, error);
        if (status != WS_STATUS_ok || !row)
            break;
        sqlite3_bind_value(store, 1, sqlite3_column_value(rows, 0));
        ws_sql_bind_text(store, 2, ws_digest_text(digest(rows, context)).text);
        status = ws_sql_execute(results, store, error);
    }
    sqlite3_finalize(store);
    return status;
}

/* This build's default; for a parameter unknown to it, the file's. */
static enum ws_status find_standard(struct ws_results *results, const char *column, struct standard *standard,
                                    struct ws_error *error)
{
    struct ws_machine defaults;
    size_t count;
    sqlite3_stmt *find;
    bool row;
    ws_parameters(&count);
    ws_machine_defaults(&defaults);
    for (size_t n = 0; n < count; n++) {
        if (strcmp(ws_parameter_column(n).name, column) == 0) {
            ws_machine_get(&defaults, n, standard->value, sizeof standard->value);
            return WS_STATUS_ok;
        }
    }
    WS_TRY(
        ws_sql_prepare(results, "SELECT trim(dflt_value, '''') FROM pragma_table_info('machine') WHERE name = ?1", &find, error));
    sqlite3_bind_text(find, 1, column, -1, SQLITE_STATIC);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    if (status == WS_STATUS_ok && row && ws_sql_text(find, 0))
        snprintf(standard->value, sizeof standard->value, "%s", ws_sql_text(find, 0));
    sqlite3_finalize(find);
    return status;
}

static enum ws_status digest_machines(struct ws_results *results, sqlite3_stmt *machines, struct ws_error *error)
{
    const int count = sqlite3_column_count(machines);
    struct standard *const standards = calloc((size_t)count, sizeof *standards);
    enum ws_status status = standards ? WS_STATUS_ok : ws_sql_no_memory(results, error);
    for (int n = 2; n < count && status == WS_STATUS_ok; n++)
        status = find_standard(results, sqlite3_column_name(machines, n), &standards[n], error);
    if (status == WS_STATUS_ok)
        status = store_digests(results, machines, "UPDATE machine SET machine_digest = ?2 WHERE machine_id = ?1", machine_digest,
                               standards, error);
    free(standards);
    return status;
}

/* New digests may equal old ones of other rows, so all old ones are removed first. */
static enum ws_status renew_digests(struct ws_results *results, struct ws_error *error)
{
    sqlite3_stmt *machines = NULL, *jobs = NULL;
    enum ws_status status = ws_sql_run(results,
                                       "UPDATE machine SET machine_digest = 'old ' || machine_id; "
                                       "UPDATE job SET job_digest = 'old ' || job_id",
                                       "make digests", error);
    WS_THEN(status, ws_sql_prepare(results, "SELECT * FROM machine", &machines, error));
    WS_THEN(status, digest_machines(results, machines, error));
    WS_THEN(status, ws_sql_prepare(results,
                                   "SELECT job_id, machine_digest, trace_digest, shard, shards, model_version "
                                   "FROM job JOIN machine USING (machine_id) JOIN trace USING (trace_id)",
                                   &jobs, error));
    if (status == WS_STATUS_ok)
        status = store_digests(results, jobs, "UPDATE job SET job_digest = ?2 WHERE job_id = ?1", job_digest, NULL, error);
    sqlite3_finalize(machines);
    sqlite3_finalize(jobs);
    return status;
}

/* ---- Names of earlier releases ---- */

static enum ws_status has_column(struct ws_results *results, const char *table, const char *name, bool *has, struct ws_error *error)
{
    sqlite3_int64 rows = 0;
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", table, name);
    const enum ws_status status = ws_sql_number(results, sql, &rows, error);
    *has = rows > 0;
    return status;
}

static enum ws_status add_rename(struct ws_results *results, const char *table, const char *old, const char *current,
                                 struct ws_text *script, struct ws_error *error)
{
    bool has_old, has_current;
    WS_TRY(has_column(results, table, old, &has_old, error));
    WS_TRY(has_column(results, table, current, &has_current, error));
    if (has_old && !has_current)
        ws_text_add(script, "ALTER TABLE %s RENAME COLUMN %s TO %s;\n", table, old, current);
    return WS_STATUS_ok;
}

/* Adds the removal of all views to the first script, and views of current columns to the second. */
static enum ws_status add_views(struct ws_results *results, struct ws_text *removal, struct ws_text *views, struct ws_error *error)
{
    sqlite3_stmt *rows;
    bool row = true;
    enum ws_status status = ws_sql_prepare(results, "SELECT name, sql FROM sqlite_master WHERE type = 'view'", &rows, error);
    while (status == WS_STATUS_ok && (status = ws_sql_step(results, rows, &row, error)) == WS_STATUS_ok && row) {
        char *const current = ws_current_sql(ws_sql_text(rows, 1), false);
        ws_text_add(removal, "DROP VIEW \"%s\";\n", ws_sql_text(rows, 0));
        ws_text_add(views, "%s;\n", current ? current : ws_sql_text(rows, 1));
        free(current);
    }
    sqlite3_finalize(rows);
    return status;
}

/* SQLite does not rename a column while a view refers to a missing one, so views are dropped first. */
static enum ws_status rename_columns(struct ws_results *results, struct ws_error *error)
{
    size_t count;
    const struct ws_old_name *const names = ws_old_names(&count);
    struct ws_text renames = {0}, script = {0}, views = {0};
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++) {
        if (names[n].kind == WS_NAME_counter)
            status = add_rename(results, "job", names[n].old, names[n].current, &renames, error);
        if (names[n].kind == WS_NAME_parameter)
            status = add_rename(results, "machine", ws_key_column(names[n].old).name, ws_key_column(names[n].current).name,
                                &renames, error);
    }
    if (status == WS_STATUS_ok && renames.length > 0) {
        status = add_views(results, &script, &views, error);
        ws_text_add(&script, "%s%s", renames.data, views.length > 0 ? views.data : "");
        if (status == WS_STATUS_ok)
            status = script.failed || renames.failed || views.failed ? ws_sql_no_memory(results, error)
                                                                     : ws_sql_run(results, script.data, "rename columns", error);
    }
    ws_text_free(&renames);
    ws_text_free(&script);
    ws_text_free(&views);
    return status;
}

/* Renames values in the columns of parameters with the choices `scope`; a file may lack some. */
static enum ws_status rename_value(struct ws_results *results, const struct ws_old_name *name, struct ws_error *error)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        char sql[300];
        bool has = false;
        const struct ws_column_name column = ws_parameter_column(n);
        if (parameters[n].set && strcmp(parameters[n].set, name->scope) == 0)
            WS_TRY(has_column(results, "machine", column.name, &has, error));
        snprintf(sql, sizeof sql, "UPDATE machine SET %s = '%s' WHERE %s = '%s'", column.name, name->current, column.name,
                 name->old);
        if (has)
            WS_TRY(ws_sql_run(results, sql, "rename a value", error));
    }
    return WS_STATUS_ok;
}

static enum ws_status rename_old(struct ws_results *results, struct ws_error *error)
{
    size_t count;
    const struct ws_old_name *const names = ws_old_names(&count);
    WS_TRY(rename_columns(results, error));
    for (size_t n = 0; n < count; n++)
        if (names[n].kind == WS_NAME_value)
            WS_TRY(rename_value(results, &names[n], error));
    return WS_STATUS_ok;
}

/* ---- The upgrade ---- */

static enum ws_status complete_tables(struct ws_results *results, struct ws_error *error)
{
    struct ws_text script = {0};
    ws_schema_records(&script);
    const enum ws_status status =
        script.failed ? ws_sql_no_memory(results, error) : ws_sql_run(results, script.data, "make tables", error);
    ws_text_free(&script);
    return status;
}

enum ws_status ws_upgrade(struct ws_results *results, const char *views, struct ws_error *error)
{
    WS_TRY(complete_tables(results, error));
    WS_TRY(rename_old(results, error));
    WS_TRY(complete_columns(results, error));
    WS_TRY(renew_digests(results, error));
    return ws_sql_run(results, views, "make views", error);
}

static enum ws_status copy_database(struct ws_results *results, sqlite3 *copy, struct ws_error *error)
{
    sqlite3_backup *const backup = sqlite3_backup_init(copy, "main", results->database, "main");
    if (!backup)
        return ws_fail(error, WS_STATUS_failed, "%s: cannot be copied: %s", results->path, sqlite3_errmsg(copy));
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK)
        return ws_fail(error, WS_STATUS_failed, "%s: cannot be copied: %s", results->path, sqlite3_errmsg(copy));
    return WS_STATUS_ok;
}

enum ws_status ws_upgrade_copy(struct ws_results *results, const char *views, struct ws_error *error)
{
    sqlite3 *copy;
    enum ws_status status =
        sqlite3_open("", &copy) == SQLITE_OK ? copy_database(results, copy, error) : ws_sql_no_memory(results, error);
    sqlite3_close(status == WS_STATUS_ok ? results->database : copy);
    WS_TRY(status);
    results->database = copy;
    WS_TRY(ws_sql_run(results, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", "make a copy", error));
    WS_TRY(ws_upgrade(results, views, error));
    return ws_sql_run(results, "COMMIT; PRAGMA query_only = ON", "make a copy", error);
}
