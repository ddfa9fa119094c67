/* Merging results files. */
#include "tables/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "results/record.h"
#include "results/schema/upgrade.h"

/* ---- Origin of jobs and experiments ---- */

const char *ws_merge_path(const struct ws_merge *merge, long file)
{
    return file < 0 ? merge->output->path : merge->paths[file];
}

enum ws_status ws_merge_set_origin(struct ws_merge *merge, const char *kind, const char *name, struct ws_error *error)
{
    sqlite3_bind_text(merge->set_origin, 1, kind, -1, SQLITE_STATIC);
    ws_sql_bind_text(merge->set_origin, 2, name);
    sqlite3_bind_int64(merge->set_origin, 3, (sqlite3_int64)merge->file);
    return ws_sql_execute(merge->output, merge->set_origin, error);
}

enum ws_status ws_merge_find_origin(struct ws_merge *merge, const char *kind, const char *name, long *file, struct ws_error *error)
{
    bool row;
    sqlite3_bind_text(merge->find_origin, 1, kind, -1, SQLITE_STATIC);
    ws_sql_bind_text(merge->find_origin, 2, name);
    const enum ws_status status = ws_sql_step(merge->output, merge->find_origin, &row, error);
    *file = row ? (long)sqlite3_column_int64(merge->find_origin, 0) : -1;
    sqlite3_reset(merge->find_origin);
    return status;
}

static enum ws_status prepare_origins(struct ws_merge *merge, struct ws_error *error)
{
    WS_TRY(ws_sql_run(merge->output, "CREATE TEMP TABLE origin (kind, name, file, PRIMARY KEY (kind, name))", "merge", error));
    WS_TRY(ws_sql_prepare(merge->output, "INSERT OR REPLACE INTO origin VALUES (?1, ?2, ?3)", &merge->set_origin, error));
    return ws_sql_prepare(merge->output, "SELECT file FROM origin WHERE kind = ?1 AND name = ?2", &merge->find_origin, error);
}

/* ---- Conflicts ---- */

void ws_merge_conflict(struct ws_merge *merge, const char *format, ...)
{
    if (merge->conflicts++ > 0)
        return;
    va_list values;
    va_start(values, format);
    vsnprintf(merge->conflict, sizeof merge->conflict, format, values);
    va_end(values);
}

static enum ws_status refuse_conflicts(const struct ws_merge *merge, struct ws_error *error)
{
    char more[60] = "";
    if (merge->conflicts == 0)
        return WS_STATUS_ok;
    if (merge->conflicts > 1)
        snprintf(more, sizeof more, " (the first of %zu conflicts)", merge->conflicts);
    return ws_fail(error, WS_STATUS_failed, "%s%s; nothing is merged", merge->conflict, more);
}

/* ---- The merge ---- */

/* All queries to an input see one snapshot, even while a sweep writes it. */
static enum ws_status merge_file(struct ws_merge *merge, struct ws_error *error)
{
    sqlite3_int64 searches = 0;
    WS_TRY(ws_results_open(merge->paths[merge->file], WS_RESULTS_READ, &merge->input, error));
    enum ws_status status = ws_sql_run(merge->input, "BEGIN", "read the results", error);
    WS_THEN(status, ws_take_columns(merge->output, merge->input, error));
    WS_THEN(status, ws_merge_experiments(merge, error));
    WS_THEN(status, ws_merge_jobs(merge, error));
    WS_THEN(status, ws_merge_copy(merge, &ws_merge_block_time, "INSERT OR IGNORE", "true", NULL, error));
    WS_THEN(status, ws_merge_copy(merge, &ws_merge_warp_time, "INSERT OR IGNORE", "true", NULL, error));
    WS_THEN(status, ws_merge_copy(merge, &ws_merge_block_order, "INSERT OR IGNORE", "true", NULL, error));
    WS_THEN(status, ws_sql_number(merge->input, "SELECT count(*) FROM search", &searches, error));
    merge->counts[merge->file].searches = (size_t)searches;
    ws_results_close(merge->input, NULL);
    merge->input = NULL;
    return status;
}

static enum ws_status count_jobs(const struct ws_merge *merge, size_t *jobs, struct ws_error *error)
{
    sqlite3_int64 count;
    WS_TRY(ws_sql_number(merge->output, "SELECT count(*) FROM job", &count, error));
    *jobs = (size_t)count;
    return WS_STATUS_ok;
}

static enum ws_status merge_all(struct ws_merge *merge, size_t count, size_t *jobs, struct ws_error *error)
{
    WS_TRY(prepare_origins(merge, error));
    WS_TRY(count_jobs(merge, merge->kept, error));
    for (merge->file = 0; merge->file < count; merge->file++)
        WS_TRY(merge_file(merge, error));
    WS_TRY(refuse_conflicts(merge, error));
    WS_TRY(ws_record_renumber(merge->output, error));
    return count_jobs(merge, jobs, error);
}

static enum ws_status merge_into(struct ws_merge *merge, const char *output, size_t count, size_t *jobs, struct ws_error *error)
{
    WS_TRY(ws_results_open(output, WS_RESULTS_WRITE, &merge->output, error));
    enum ws_status status = ws_sql_begin(merge->output, error);
    WS_THEN(status, merge_all(merge, count, jobs, error));
    sqlite3_finalize(merge->set_origin);
    sqlite3_finalize(merge->find_origin);
    status = ws_sql_end(merge->output, status, error);
    if (status == WS_STATUS_ok)
        return ws_results_close(merge->output, error);
    ws_results_abandon(merge->output);
    return status;
}

/* ---- The files ---- */

/* Checks that the inputs exist, and that the output is none of them. */
static enum ws_status check_inputs(const char *output, const char *const *inputs, size_t count, struct ws_error *error)
{
    struct stat in;
    for (size_t n = 0; n < count; n++) {
        if (stat(inputs[n], &in) != 0)
            return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", inputs[n], strerror(errno));
        if (ws_file_is_same(output, inputs[n]))
            return ws_fail(error, WS_STATUS_usage, "%s: is the output, and cannot be an input, too; name another --output",
                           inputs[n]);
    }
    return WS_STATUS_ok;
}

/* Creates an empty file if there is none, to know that it is new. */
static enum ws_status make_file(const char *path, bool *made, struct ws_error *error)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *made = descriptor >= 0;
    if (*made)
        close(descriptor);
    else if (errno != EEXIST)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", path, strerror(errno));
    return WS_STATUS_ok;
}

enum ws_status ws_results_merge(const char *output, const char *const *inputs, size_t count, const struct ws_merge_options *options,
                                struct ws_merge_counts *counts, size_t *kept, size_t *jobs, struct ws_error *error)
{
    struct ws_merge merge = {.paths = inputs, .options = options, .counts = counts, .kept = kept};
    bool made;
    if (options)
        WS_TRY(WS_STRUCT_CHECK(merge_options, options, error));
    *kept = *jobs = 0;
    for (size_t n = 0; n < count; n++)
        counts[n] = (struct ws_merge_counts){0};
    WS_TRY(check_inputs(output, inputs, count, error));
    WS_TRY(make_file(output, &made, error));
    const enum ws_status status = merge_into(&merge, output, count, jobs, error);
    if (status != WS_STATUS_ok && made)
        unlink(output);
    return status;
}
