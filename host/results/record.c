#include "results/record.h"

#include "base/error.h"
#include "results/identity.h"
#include "results/schema.h"

static void bind_text(sqlite3_stmt *statement, int n, const char *text)
{
    sqlite3_bind_text(statement, n, text, -1, SQLITE_TRANSIENT);
}

static void bind_digest(sqlite3_stmt *statement, int n, u64 digest)
{
    bind_text(statement, n, ws_digest_text(digest).text);
}

/* A machine_id or trace_id by its digest. */
static enum ws_status find_id(struct ws_results *results, sqlite3_stmt *find, struct ws_recorded *key, struct ws_error *error)
{
    bool row;
    bind_digest(find, 1, key->digest);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    key->id = row ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_reset(find);
    return status;
}

/* ---- Machines ---- */

static void bind_machine(sqlite3_stmt *insert, const struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        char value[64];
        if (parameters[n].set) {
            ws_machine_get(machine, n, value, sizeof value);
            bind_text(insert, (int)n + 2, value);
        } else {
            sqlite3_bind_int64(insert, (int)n + 2, ((const u32 *)machine)[n]);
        }
    }
}

static enum ws_status put_machines(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                   sqlite3_stmt *insert, sqlite3_stmt *find, struct ws_error *error)
{
    for (size_t n = 0; n < experiment->point_count; n++) {
        bind_digest(insert, 1, points[n].digest);
        bind_machine(insert, &experiment->points[n].machine);
        WS_TRY(ws_sql_execute(results, insert, error));
        WS_TRY(find_id(results, find, &points[n], error));
    }
    return WS_STATUS_ok;
}

static enum ws_status record_machines(struct ws_results *results, const struct ws_experiment *experiment,
                                      struct ws_recorded *points, struct ws_error *error)
{
    struct ws_text sql = {0};
    sqlite3_stmt *insert = NULL, *find = NULL;
    ws_schema_insert_machine(&sql);
    enum ws_status status = sql.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", results->path)
                                       : ws_sql_prepare(results, sql.data, &insert, error);
    ws_text_free(&sql);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(results, "SELECT machine_id FROM machine WHERE machine_digest = ?", &find, error);
    if (status == WS_STATUS_ok)
        status = put_machines(results, experiment, points, insert, find, error);
    sqlite3_finalize(insert);
    sqlite3_finalize(find);
    return status;
}

/* ---- Traces ---- */

static u64 volume(const u32 size[3])
{
    return (u64)size[0] * size[1] * size[2];
}

u64 ws_recorded_blocks(const struct ws_launch *launch)
{
    return volume(launch->grid);
}

static enum ws_status put_traces(struct ws_results *results, struct ws_recorded_trace *traces, size_t count, sqlite3_stmt *insert,
                                 sqlite3_stmt *find, struct ws_error *error)
{
    for (size_t n = 0; n < count; n++) {
        const struct ws_launch *const launch = traces[n].launch;
        bind_digest(insert, 1, traces[n].key.digest);
        bind_text(insert, 2, launch->kernel);
        bind_text(insert, 3, launch->source);
        sqlite3_bind_int64(insert, 4, (sqlite3_int64)(volume(launch->grid) * volume(launch->block)));
        sqlite3_bind_int64(insert, 5, (sqlite3_int64)ws_recorded_blocks(launch));
        sqlite3_bind_int64(insert, 6, launch->given_registers ? launch->given_registers : launch->registers);
        sqlite3_bind_int64(insert, 7, launch->shared_bytes);
        WS_TRY(ws_sql_execute(results, insert, error));
        WS_TRY(find_id(results, find, &traces[n].key, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status record_traces(struct ws_results *results, struct ws_recorded_trace *traces, size_t count,
                                    struct ws_error *error)
{
    sqlite3_stmt *insert = NULL, *find = NULL;
    enum ws_status status = ws_sql_prepare(/* earlier builds did not record the last two */
                                           results,
                                           "INSERT INTO trace (trace_digest, kernel, source, threads, blocks, registers, "
                                           "shared_bytes) VALUES (?, ?, ?, ?, ?, ?, ?) "
                                           "ON CONFLICT (trace_digest) DO UPDATE SET registers = excluded.registers, shared_bytes "
                                           "= excluded.shared_bytes",
                                           &insert, error);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(results, "SELECT trace_id FROM trace WHERE trace_digest = ?", &find, error);
    if (status == WS_STATUS_ok)
        status = put_traces(results, traces, count, insert, find, error);
    sqlite3_finalize(insert);
    sqlite3_finalize(find);
    return status;
}

/* ---- Experiments ---- */

static enum ws_status put_experiment(struct ws_results *results, const struct ws_experiment *experiment, sqlite3_int64 *id,
                                     struct ws_error *error)
{
    sqlite3_stmt *put;
    bool row;
    WS_TRY(ws_sql_prepare(results,
                          "INSERT INTO experiment (experiment, about, machine, skipped, shards, model_version) "
                          "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (experiment) DO UPDATE SET about = ?2, machine = ?3, "
                          "skipped = ?4, shards = ?5, model_version = ?6 RETURNING experiment_id",
                          &put, error));
    bind_text(put, 1, experiment->name);
    bind_text(put, 2, experiment->about ? experiment->about : "");
    bind_text(put, 3, experiment->machine);
    sqlite3_bind_int64(put, 4, (sqlite3_int64)experiment->skipped);
    sqlite3_bind_int64(put, 5, experiment->shards);
    sqlite3_bind_int64(put, 6, WS_MODEL_VERSION);
    const enum ws_status status = ws_sql_step(results, put, &row, error);
    *id = row ? sqlite3_column_int64(put, 0) : 0;
    sqlite3_finalize(put);
    return status;
}

static enum ws_status put_points(struct ws_results *results, const struct ws_experiment *experiment,
                                 const struct ws_recorded *points, sqlite3_int64 id, struct ws_error *error)
{
    sqlite3_stmt *put;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(
        ws_sql_prepare(results,
                       "INSERT INTO point (experiment_id, position, point, variation, overrides, baseline, frontend, machine_id) "
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (experiment_id, point) DO UPDATE SET "
                       "position = ?2, variation = ?4, overrides = ?5, baseline = ?6, frontend = ?7, machine_id = ?8",
                       &put, error));
    for (size_t n = 0; n < experiment->point_count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_int64(put, 2, (sqlite3_int64)n);
        bind_text(put, 3, experiment->points[n].label);
        bind_text(put, 4, experiment->points[n].variation);
        bind_text(put, 5, experiment->points[n].overrides);
        bind_text(put, 6, experiment->points[n].baseline);
        bind_text(put, 7, experiment->points[n].frontend);
        sqlite3_bind_int64(put, 8, points[n].id);
        status = ws_sql_execute(results, put, error);
    }
    sqlite3_finalize(put);
    return status;
}

/* A trace has the same position for every front end. */
static enum ws_status put_experiment_traces(struct ws_results *results, const struct ws_experiment *experiment,
                                            const struct ws_recorded_trace *traces, size_t count, sqlite3_int64 id,
                                            struct ws_error *error)
{
    sqlite3_stmt *put;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(ws_sql_prepare(
        results,
        "INSERT INTO experiment_trace (experiment_id, position, trace, frontend, trace_id) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT (experiment_id, trace, frontend) DO UPDATE SET position = ?2, trace_id = ?5",
        &put, error));
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_int64(put, 2, (sqlite3_int64)(n % experiment->trace_count));
        bind_text(put, 3, traces[n].name);
        bind_text(put, 4, traces[n].frontend);
        sqlite3_bind_int64(put, 5, traces[n].key.id);
        status = ws_sql_execute(results, put, error);
    }
    sqlite3_finalize(put);
    return status;
}

/* Members that the experiment had before and has no more keep position -1 between the two. */
static enum ws_status replace_members(struct ws_results *results, const struct ws_experiment *experiment,
                                      const struct ws_recorded *points, const struct ws_recorded_trace *traces, size_t trace_count,
                                      sqlite3_int64 id, struct ws_error *error)
{
    char mark[200];
    snprintf(mark, sizeof mark,
             "UPDATE point SET position = -1 WHERE experiment_id = %lld; "
             "UPDATE experiment_trace SET position = -1 WHERE experiment_id = %lld",
             (long long)id, (long long)id);
    WS_TRY(ws_sql_run(results, mark, "record an experiment", error));
    WS_TRY(put_points(results, experiment, points, id, error));
    WS_TRY(put_experiment_traces(results, experiment, traces, trace_count, id, error));
    return ws_sql_run(results, "DELETE FROM point WHERE position = -1; DELETE FROM experiment_trace WHERE position = -1",
                      "record an experiment", error);
}

enum ws_status ws_record_experiment(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                    struct ws_recorded_trace *traces, size_t trace_count, struct ws_error *error)
{
    sqlite3_int64 id = 0;
    WS_TRY(ws_sql_begin(results, error));
    enum ws_status status = record_machines(results, experiment, points, error);
    if (status == WS_STATUS_ok)
        status = record_traces(results, traces, trace_count, error);
    if (status == WS_STATUS_ok)
        status = put_experiment(results, experiment, &id, error);
    if (status == WS_STATUS_ok)
        status = replace_members(results, experiment, points, traces, trace_count, id, error);
    return ws_sql_end(results, status, error);
}
