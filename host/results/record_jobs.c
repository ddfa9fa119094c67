#include <time.h>

#include "base/error.h"
#include "results/identity.h"
#include "results/record.h"
#include "results/schema.h"

static void bind_text(sqlite3_stmt *statement, int n, const char *text)
{
    sqlite3_bind_text(statement, n, text, -1, SQLITE_TRANSIENT);
}

static bool has_counters(enum ws_status status)
{
    return status == WS_STATUS_ok || status == WS_STATUS_deadlock || status == WS_STATUS_stack_overflow ||
           status == WS_STATUS_bad_trace;
}

static void bind_counters(sqlite3_stmt *insert, const struct ws_job_result *result)
{
    for (int n = 0; n < WS_COUNTERS; n++) {
        if (has_counters(result->status))
            sqlite3_bind_int64(insert, WS_JOB_counters + n, (sqlite3_int64)result->counters[n]);
        else
            sqlite3_bind_null(insert, WS_JOB_counters + n);
    }
}

static void bind_job(sqlite3_stmt *insert, const struct ws_job_record *record, const char *now)
{
    const struct ws_job_result *const result = record->result;
    bind_text(insert, WS_JOB_digest, ws_digest_text(record->digest).text);
    sqlite3_bind_int64(insert, WS_JOB_machine, record->machine);
    sqlite3_bind_int64(insert, WS_JOB_trace, record->trace);
    sqlite3_bind_int64(insert, WS_JOB_shard, record->shard);
    sqlite3_bind_int64(insert, WS_JOB_shards, record->shards);
    sqlite3_bind_int64(insert, WS_JOB_model, WS_MODEL_VERSION);
    bind_text(insert, WS_JOB_status, ws_status_name(result->status));
    bind_text(insert, WS_JOB_reason, result->status == WS_STATUS_ok ? NULL : ws_job_reason(result));
    bind_text(insert, WS_JOB_engine, record->engine);
    bind_text(insert, WS_JOB_device, record->device);
    bind_text(insert, WS_JOB_version, WS_VERSION);
    sqlite3_bind_double(insert, WS_JOB_seconds, result->seconds);
    bind_text(insert, WS_JOB_finished, now);
    bind_counters(insert, result);
}

static enum ws_status put_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count, sqlite3_stmt *drop,
                               sqlite3_stmt *insert, struct ws_error *error)
{
    char now[32];
    const time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    for (size_t n = 0; n < count; n++) {
        bind_text(drop, 1, ws_digest_text(records[n].digest).text);
        WS_TRY(ws_sql_execute(results, drop, error));
        bind_job(insert, &records[n], now);
        WS_TRY(ws_sql_execute(results, insert, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_record_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count, bool replace,
                              struct ws_error *error)
{
    struct ws_text sql = {0};
    sqlite3_stmt *drop = NULL, *insert = NULL;
    ws_schema_insert_job(&sql);
    enum ws_status status = sql.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", results->path)
                                       : ws_sql_prepare(results, sql.data, &insert, error);
    ws_text_free(&sql);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(results,
                                replace ? "DELETE FROM job WHERE job_digest = ?"
                                        : "DELETE FROM job WHERE job_digest = ? AND status NOT IN " WS_FINAL_STATUSES,
                                &drop, error);
    if (status == WS_STATUS_ok)
        status = ws_sql_begin(results, error);
    if (status == WS_STATUS_ok)
        status = ws_sql_end(results, put_jobs(results, records, count, drop, insert, error), error);
    sqlite3_finalize(drop);
    sqlite3_finalize(insert);
    return status;
}

static enum ws_status find_states(struct ws_results *results, sqlite3_stmt *find, const u64 *digests, enum ws_job_state *states,
                                  size_t count, struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        bool row;
        bind_text(find, 1, ws_digest_text(digests[n]).text);
        WS_TRY(ws_sql_step(results, find, &row, error));
        states[n] = !row ? WS_JOB_MISSING : sqlite3_column_int(find, 0) ? WS_JOB_DONE : WS_JOB_FAILED;
        sqlite3_reset(find);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_record_states(struct ws_results *results, const u64 *digests, enum ws_job_state *states, size_t count,
                                struct ws_error *error)
{
    sqlite3_stmt *find;
    WS_TRY(ws_sql_prepare(results, "SELECT status = 'ok' FROM job WHERE job_digest = ? AND status IN " WS_FINAL_STATUSES, &find,
                          error));
    const enum ws_status status = find_states(results, find, digests, states, count, error);
    sqlite3_finalize(find);
    return status;
}
