#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "results/schema/schema.h"
#include "tables/merge.h"

/* A job is read with its own columns, the digests of machine and trace, then: its digest, and whether its status is final. */
#define FURTHER ", job_digest, status IN " WS_FINAL_STATUSES

enum { NOT_ITS_OWN = 4 };

struct statements {
    sqlite3_stmt *jobs;                        /* of the input */
    sqlite3_stmt *find, *drop, *insert, *fill; /* of the output */
};

static const char *digest(const struct statements *s)
{
    return ws_sql_text(s->jobs, sqlite3_column_count(s->jobs) - 2);
}

static bool is_final(sqlite3_stmt *row)
{
    return sqlite3_column_int(row, sqlite3_column_count(row) - 1) != 0;
}

/* ---- Conflicts ---- */

/* The origin of a job, and its error text, may differ. */
static bool is_compared(const char *column)
{
    return strncmp(column, "run_", strlen("run_")) != 0 && strcmp(column, "reason") != 0;
}

/* A NULL counter was not measured. */
static bool differ(const char *a, const char *b)
{
    return a && b && strcmp(a, b) != 0;
}

/* The first column in which two final rows of a job differ, or -1. */
static int find_difference(sqlite3_stmt *ours, sqlite3_stmt *theirs)
{
    for (int n = 0; n < sqlite3_column_count(theirs) - NOT_ITS_OWN; n++)
        if (is_compared(sqlite3_column_name(theirs, n)) && differ(ws_sql_text(ours, n), ws_sql_text(theirs, n)))
            return n;
    return -1;
}

static enum ws_status name_job(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    ws_text_add(context, "experiment %s, point %s, trace %s, shard %s/%s", row->values[0], row->values[1], row->values[2],
                row->values[3], row->values[4]);
    return WS_STATUS_ok;
}

static enum ws_status note_conflict(struct ws_merge *merge, const struct statements *s, int column, struct ws_error *error)
{
    const char *const names[] = {digest(s), NULL};
    struct ws_text job = {0};
    long file;
    WS_TRY(ws_merge_find_origin(merge, "job", digest(s), &file, error));
    const enum ws_status status =
        ws_results_query(merge->input,
                         "SELECT experiment, point, trace, shard, shards FROM all_result WHERE job_digest = ?1 "
                         "ORDER BY experiment, point_position, trace_position LIMIT 1",
                         names, name_job, &job, error);
    if (status == WS_STATUS_ok && job.length == 0)
        ws_text_add(&job, "job %s of no experiment", digest(s));
    if (status == WS_STATUS_ok)
        ws_merge_conflict(merge, "%s: %s is %s in %s, %s in %s", job.failed ? digest(s) : job.data,
                          sqlite3_column_name(s->jobs, column), ws_sql_text(s->find, column), ws_merge_path(merge, file),
                          ws_sql_text(s->jobs, column), merge->input->path);
    ws_text_free(&job);
    return status;
}

/* ---- Taking jobs ---- */

static enum ws_status insert(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    ws_sql_pass_row(s->jobs, s->insert);
    WS_TRY(ws_sql_execute(merge->output, s->insert, error));
    merge->counts[merge->file].taken++;
    return ws_merge_set_origin(merge, "job", digest(s), error);
}

static enum ws_status replace(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    long file;
    WS_TRY(ws_merge_find_origin(merge, "job", digest(s), &file, error));
    if (file < 0) {
        --*merge->kept;
    } else {
        merge->counts[file].taken--;
        merge->counts[file].dropped++;
    }
    sqlite3_reset(s->find);
    ws_sql_bind_text(s->drop, 1, digest(s));
    WS_TRY(ws_sql_execute(merge->output, s->drop, error));
    return insert(merge, s, error);
}

/* Completes the output's job by counters that only the input's build measured. */
static enum ws_status fill(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    bool fuller = false;
    for (int n = 0; n < sqlite3_column_count(s->jobs) - NOT_ITS_OWN; n++)
        fuller = fuller || (!ws_sql_text(s->find, n) && ws_sql_text(s->jobs, n));
    sqlite3_reset(s->find);
    if (!fuller)
        return WS_STATUS_ok;
    ws_sql_pass_row(s->jobs, s->fill);
    return ws_sql_execute(merge->output, s->fill, error);
}

/* A job that the output has, in the row of s->find. */
static enum ws_status take_double(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    if (is_final(s->jobs) && !is_final(s->find))
        return replace(merge, s, error);
    merge->counts[merge->file].dropped++;
    if (!is_final(s->jobs))
        return WS_STATUS_ok;
    const int column = find_difference(s->find, s->jobs);
    return column < 0 ? fill(merge, s, error) : note_conflict(merge, s, column, error);
}

static enum ws_status take_job(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    bool row;
    ws_sql_bind_text(s->find, 1, digest(s));
    enum ws_status status = ws_sql_step(merge->output, s->find, &row, error);
    if (status == WS_STATUS_ok)
        status = row ? take_double(merge, s, error) : insert(merge, s, error);
    sqlite3_reset(s->find);
    return status;
}

static enum ws_status take_jobs(struct ws_merge *merge, const struct statements *s, struct ws_error *error)
{
    const struct ws_merge_options *const options = merge->options;
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(merge->input, s->jobs, &row, error));
        if (!row)
            return WS_STATUS_ok;
        if (options && options->go_on && !options->go_on(options->context))
            return ws_fail(error, WS_STATUS_interrupted, "interrupted; nothing is merged");
        WS_TRY(take_job(merge, s, error));
    }
}

static enum ws_status prepare_fill(struct ws_merge *merge, struct statements *s, struct ws_error *error)
{
    struct ws_text sql = {0};
    const char *joint = "UPDATE job SET";
    for (int n = 0; n < sqlite3_column_count(s->jobs) - NOT_ITS_OWN; n++, joint = ",")
        ws_text_add(&sql, "%s %s = ifnull(%s, ?)", joint, sqlite3_column_name(s->jobs, n), sqlite3_column_name(s->jobs, n));
    ws_text_add(&sql, " WHERE job_digest = ?1"); /* its first column */
    const enum ws_status status = sql.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", merge->output->path)
                                             : ws_sql_prepare(merge->output, sql.data, &s->fill, error);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_merge_jobs(struct ws_merge *merge, struct ws_error *error)
{
    struct statements s = {0};
    enum ws_status status = ws_merge_prepare_select(merge, merge->input, &ws_merge_job, FURTHER, "true", &s.jobs, error);
    if (status == WS_STATUS_ok)
        status = ws_merge_prepare_select(merge, merge->output, &ws_merge_job, FURTHER, "job_digest = ?1", &s.find, error);
    WS_THEN(status, ws_merge_prepare_insert(merge, &ws_merge_job, "INSERT", &s.insert, error));
    WS_THEN(status, prepare_fill(merge, &s, error));
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(merge->output, "DELETE FROM job WHERE job_digest = ?1", &s.drop, error);
    WS_THEN(status, take_jobs(merge, &s, error));
    sqlite3_finalize(s.jobs);
    sqlite3_finalize(s.find);
    sqlite3_finalize(s.drop);
    sqlite3_finalize(s.insert);
    sqlite3_finalize(s.fill);
    return status;
}
