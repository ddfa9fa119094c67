#include <string.h>
#include <time.h>

#include "base/error.h"
#include "results/identity.h"
#include "results/record.h"
#include "results/schema/schema.h"

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

/* Differences of the machine of the job that ran: "l1.mshrs=32 dram.queue=64". */
static void bind_from(sqlite3_stmt *insert, const struct ws_job_record *record)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    struct ws_text text = {0};
    for (size_t n = 0; record->from && n < count; n++) {
        char value[64];
        if (((const u32 *)record->from)[n] == ((const u32 *)record->own)[n])
            continue;
        ws_machine_get(record->from, n, value, sizeof value);
        ws_text_add(&text, "%s%s=%s", text.length > 0 ? " " : "", rows[n].key, value);
    }
    ws_sql_bind_text(insert, WS_JOB_from, text.data);
    ws_text_free(&text);
}

static void bind_job(sqlite3_stmt *insert, const struct ws_job_record *record, const char *now)
{
    const struct ws_job_result *const result = record->result;
    ws_sql_bind_text(insert, WS_JOB_digest, ws_digest_text(record->digest).text);
    sqlite3_bind_int64(insert, WS_JOB_machine, record->machine);
    sqlite3_bind_int64(insert, WS_JOB_trace, record->trace);
    sqlite3_bind_int64(insert, WS_JOB_shard, record->shard);
    sqlite3_bind_int64(insert, WS_JOB_shards, record->shards);
    sqlite3_bind_int64(insert, WS_JOB_model, WS_MODEL_VERSION);
    ws_sql_bind_text(insert, WS_JOB_status, ws_status_name(result->status));
    ws_sql_bind_text(insert, WS_JOB_reason, result->status == WS_STATUS_ok ? NULL : ws_job_reason(result));
    ws_sql_bind_text(insert, WS_JOB_engine, record->engine);
    ws_sql_bind_text(insert, WS_JOB_device, record->device);
    ws_sql_bind_text(insert, WS_JOB_version, WS_VERSION);
    sqlite3_bind_double(insert, WS_JOB_seconds, record->from ? 0 : result->seconds);
    ws_sql_bind_text(insert, WS_JOB_finished, now);
    bind_from(insert, record);
    bind_counters(insert, result);
}

/* ---- Blocks ---- */

/* A job's blocks are numbered as in the grid. */
static sqlite3_int64 grid_block(const struct ws_job_record *record, u64 block)
{
    return (sqlite3_int64)(record->shard + block * record->shards);
}

static enum ws_status put_times(struct ws_results *results, const struct ws_job_record *record, sqlite3_stmt *put,
                                struct ws_error *error)
{
    const struct ws_block_time *const times = record->result->times;
    for (u32 block = 0; times && block < record->blocks; block++) {
        ws_sql_bind_text(put, 1, ws_digest_text(record->digest).text);
        sqlite3_bind_int64(put, 2, grid_block(record, block));
        sqlite3_bind_int64(put, 3, (sqlite3_int64)times[block].entered);
        sqlite3_bind_int64(put, 4, (sqlite3_int64)times[block].ended);
        WS_TRY(ws_sql_execute(results, put, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status put_warps(struct ws_results *results, const struct ws_job_record *record, sqlite3_stmt *put,
                                struct ws_error *error)
{
    const u32 per_block = record->result->warps_per_block;
    for (u64 n = 0; record->result->warps && n < (u64)record->blocks * per_block; n++) {
        const struct ws_warp_time *const warp = &record->result->warps[n];
        ws_sql_bind_text(put, 1, ws_digest_text(record->digest).text);
        sqlite3_bind_int64(put, 2, grid_block(record, n / per_block));
        sqlite3_bind_int64(put, 3, (sqlite3_int64)(n % per_block));
        sqlite3_bind_int64(put, 4, (sqlite3_int64)warp->entered);
        sqlite3_bind_int64(put, 5, (sqlite3_int64)warp->ended);
        sqlite3_bind_int64(put, 6, warp->packets);
        sqlite3_bind_int64(put, 7, warp->l1_misses);
        sqlite3_bind_int64(put, 8, warp->constant_misses);
        sqlite3_bind_int64(put, 9, warp->texture_misses);
        WS_TRY(ws_sql_execute(results, put, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status put_order(struct ws_results *results, const struct ws_job_record *record, sqlite3_stmt *put,
                                struct ws_error *error)
{
    for (size_t n = 0; record->result->order && n < record->result->order_count; n++) {
        const struct ws_block_place *const place = &record->result->order[n];
        ws_sql_bind_text(put, 1, ws_digest_text(record->digest).text);
        sqlite3_bind_int64(put, 2, (sqlite3_int64)place->cycle);
        sqlite3_bind_int64(put, 3, place->place);
        sqlite3_bind_int64(put, 4, grid_block(record, place->block));
        WS_TRY(ws_sql_execute(results, put, error));
    }
    return WS_STATUS_ok;
}

/* ---- Jobs ---- */

struct statements {
    sqlite3_stmt *drop, *insert, *time, *warp, *place;
};

static enum ws_status put_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count,
                               const struct statements *s, struct ws_error *error)
{
    char now[32];
    const time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    for (size_t n = 0; n < count; n++) {
        ws_sql_bind_text(s->drop, 1, ws_digest_text(records[n].digest).text);
        WS_TRY(ws_sql_execute(results, s->drop, error));
        bind_job(s->insert, &records[n], now);
        WS_TRY(ws_sql_execute(results, s->insert, error));
        if (records[n].result->status != WS_STATUS_ok)
            continue;
        WS_TRY(put_times(results, &records[n], s->time, error));
        WS_TRY(put_warps(results, &records[n], s->warp, error));
        WS_TRY(put_order(results, &records[n], s->place, error));
    }
    return WS_STATUS_ok;
}

#define JOB_ID "(SELECT job_id FROM job WHERE job_digest = ?1)"

static enum ws_status prepare(struct ws_results *results, bool replace, struct statements *s, struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_schema_insert_job(&sql);
    const enum ws_status status =
        sql.failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql.data, &s->insert, error);
    ws_text_free(&sql);
    WS_TRY(status);
    WS_TRY(ws_sql_prepare(results,
                          replace ? "DELETE FROM job WHERE job_digest = ?"
                                  : "DELETE FROM job WHERE job_digest = ? AND status NOT IN " WS_FINAL_STATUSES,
                          &s->drop, error));
    WS_TRY(ws_sql_prepare(results,
                          "INSERT OR IGNORE INTO block_time (job_id, block, entered, ended) VALUES (" JOB_ID ", ?2, ?3, ?4)",
                          &s->time, error));
    WS_TRY(ws_sql_prepare(results,
                          "INSERT OR IGNORE INTO warp_time (job_id, block, warp, entered, ended, packets, l1_misses, "
                          "constant_misses, texture_misses) VALUES (" JOB_ID ", ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                          &s->warp, error));
    return ws_sql_prepare(results,
                          "INSERT OR IGNORE INTO block_order (job_id, cycle, place, block) VALUES (" JOB_ID ", ?2, ?3, ?4)",
                          &s->place, error);
}

enum ws_status ws_record_jobs(struct ws_results *results, const struct ws_job_record *records, size_t count, bool replace,
                              struct ws_error *error)
{
    struct statements s = {0};
    enum ws_status status = prepare(results, replace, &s, error);
    WS_THEN(status, ws_sql_begin(results, error));
    WS_THEN(status, ws_sql_end(results, put_jobs(results, records, count, &s, error), error));
    sqlite3_finalize(s.drop);
    sqlite3_finalize(s.insert);
    sqlite3_finalize(s.time);
    sqlite3_finalize(s.warp);
    sqlite3_finalize(s.place);
    return status;
}

static enum ws_status find_states(struct ws_results *results, sqlite3_stmt *find, const u64 *digests, enum ws_job_state *states,
                                  size_t count, struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        bool row;
        ws_sql_bind_text(find, 1, ws_digest_text(digests[n]).text);
        WS_TRY(ws_sql_step(results, find, &row, error));
        states[n] = !row ? WS_JOB_MISSING : sqlite3_column_int(find, 0) ? WS_JOB_DONE : WS_JOB_FAILED;
        sqlite3_reset(find);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_record_states(struct ws_results *results, const u64 *digests, bool times, enum ws_job_state *states, size_t count,
                                struct ws_error *error)
{
    sqlite3_stmt *find;
    sqlite3_int64 any;
    memset(states, 0, count * sizeof *states); /* missing */
    WS_TRY(ws_sql_number(results, "SELECT EXISTS (SELECT 1 FROM job)", &any, error));
    if (!any)
        return WS_STATUS_ok;
    WS_TRY(ws_sql_prepare(results,
                          times ? "SELECT status = 'ok' FROM job WHERE job_digest = ? AND status IN " WS_FINAL_STATUSES
                                  " AND (status <> 'ok' OR EXISTS (SELECT 1 FROM warp_time WHERE warp_time.job_id = job.job_id))"
                                : "SELECT status = 'ok' FROM job WHERE job_digest = ? AND status IN " WS_FINAL_STATUSES,
                          &find, error));
    /* one transaction, because locking takes longer than a look-up */
    enum ws_status status = ws_sql_run(results, "BEGIN", "look up jobs", error);
    if (status == WS_STATUS_ok) {
        status = find_states(results, find, digests, states, count, error);
        ws_sql_run(results, "COMMIT", "look up jobs", NULL);
    }
    sqlite3_finalize(find);
    return status;
}
