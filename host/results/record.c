#include "results/record.h"

#include <stdio.h>

#include "base/error.h"
#include "results/identity.h"
#include "results/schema/schema.h"

static void bind_digest(sqlite3_stmt *statement, int n, u64 digest)
{
    ws_sql_bind_text(statement, n, ws_digest_text(digest).text);
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
            ws_sql_bind_text(insert, (int)n + 2, value);
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
    enum ws_status status = sql.failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql.data, &insert, error);
    ws_text_free(&sql);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(results, "SELECT machine_id FROM machine WHERE machine_digest = ?", &find, error);
    WS_THEN(status, put_machines(results, experiment, points, insert, find, error));
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
        ws_sql_bind_text(insert, 2, launch->kernel);
        ws_sql_bind_text(insert, 3, launch->source);
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
    WS_THEN(status, put_traces(results, traces, count, insert, find, error));
    sqlite3_finalize(insert);
    sqlite3_finalize(find);
    return status;
}

/* ---- Experiments ---- */

/* The position in the experiment's newest run; 0 if it has none. */
static enum ws_status find_newest(struct ws_results *results, const char *experiment, sqlite3_int64 *id, u32 *run,
                                  struct ws_error *error)
{
    sqlite3_stmt *find;
    bool row;
    WS_TRY(
        ws_sql_prepare(results,
                       "SELECT (SELECT experiment_id FROM experiment WHERE experiment = ?1), ifnull(max(run), 0) FROM experiment "
                       "WHERE experiment = ?1 OR earlier_of = ?1",
                       &find, error));
    ws_sql_bind_text(find, 1, experiment);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    *id = row ? sqlite3_column_int64(find, 0) : 0;
    *run = row ? (u32)sqlite3_column_int64(find, 1) : 0;
    sqlite3_finalize(find);
    return status;
}

static enum ws_status put_experiment(struct ws_results *results, const struct ws_experiment *experiment, u32 run, sqlite3_int64 *id,
                                     struct ws_error *error)
{
    sqlite3_stmt *put;
    bool row;
    WS_TRY(ws_sql_prepare(results,
                          "INSERT INTO experiment (experiment, about, machine, skipped, shards, sampled, model_version, run) "
                          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING experiment_id",
                          &put, error));
    ws_sql_bind_text(put, 1, experiment->name);
    ws_sql_bind_text(put, 2, experiment->about ? experiment->about : "");
    ws_sql_bind_text(put, 3, experiment->machine);
    sqlite3_bind_int64(put, 4, (sqlite3_int64)experiment->skipped);
    sqlite3_bind_int64(put, 5, experiment->shards);
    sqlite3_bind_int64(put, 6, experiment->sampled);
    sqlite3_bind_int64(put, 7, WS_MODEL_VERSION);
    sqlite3_bind_int64(put, 8, run);
    const enum ws_status status = ws_sql_step(results, put, &row, error);
    *id = row ? sqlite3_column_int64(put, 0) : 0;
    sqlite3_finalize(put);
    return status;
}

static enum ws_status put_points(struct ws_results *results, const struct ws_experiment *experiment,
                                 const struct ws_recorded *points, const u32 *positions, sqlite3_int64 id, struct ws_error *error)
{
    sqlite3_stmt *put;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(ws_sql_prepare(results,
                          positions
                              ? "INSERT INTO point (experiment_id, position, point, variation, overrides, baseline, frontend, "
                                "machine_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (experiment_id, point) DO NOTHING"
                              : "INSERT INTO point (experiment_id, position, point, variation, overrides, baseline, frontend, "
                                "machine_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                          &put, error));
    for (size_t n = 0; n < experiment->point_count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_int64(put, 2, positions ? positions[n] : (sqlite3_int64)n);
        ws_sql_bind_text(put, 3, experiment->points[n].label);
        ws_sql_bind_text(put, 4, experiment->points[n].variation);
        ws_sql_bind_text(put, 5, experiment->points[n].overrides);
        ws_sql_bind_text(put, 6, experiment->points[n].baseline);
        ws_sql_bind_text(put, 7, experiment->points[n].frontend);
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
        results, "INSERT INTO experiment_trace (experiment_id, position, trace, frontend, trace_id) VALUES (?1, ?2, ?3, ?4, ?5)",
        &put, error));
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(put, 1, id);
        sqlite3_bind_int64(put, 2, (sqlite3_int64)(n % experiment->trace_count));
        ws_sql_bind_text(put, 3, traces[n].name);
        ws_sql_bind_text(put, 4, traces[n].frontend);
        sqlite3_bind_int64(put, 5, traces[n].key.id);
        status = ws_sql_execute(results, put, error);
    }
    sqlite3_finalize(put);
    return status;
}

/* ---- Runs ---- */

/* In each statement ?1 is the newest run, ?2 the one before it. */
static enum ws_status execute_all(struct ws_results *results, const char *const *statements, sqlite3_int64 now,
                                  sqlite3_int64 before, struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    for (; *statements && status == WS_STATUS_ok; statements++) {
        sqlite3_stmt *statement;
        WS_TRY(ws_sql_prepare(results, *statements, &statement, error));
        sqlite3_bind_int64(statement, 1, now);
        sqlite3_bind_int64(statement, 2, before);
        status = ws_sql_execute(results, statement, error);
        sqlite3_finalize(statement);
    }
    return status;
}

/* Whether the newest run contains the one before it: the same points, or more. Ignores unreadable traces: a repaired one counts as
 * the same. Never a run that a search makes grow: its points have their place in the search. */
static enum ws_status contains(struct ws_results *results, sqlite3_int64 now, sqlite3_int64 before, bool *all,
                               struct ws_error *error)
{
#define MEMBERS(columns, table)                                                                                                    \
    "SELECT " columns " FROM " table " WHERE experiment_id = ?2 EXCEPT SELECT " columns " FROM " table " WHERE experiment_id = ?1"
    sqlite3_stmt *ask;
    bool row;
    WS_TRY(ws_sql_prepare(
        results,
        "WITH readable_trace AS (SELECT * FROM experiment_trace JOIN trace USING (trace_id) WHERE blocks > 0) "
        "SELECT (SELECT shards || ' ' || sampled || ' ' || model_version FROM experiment WHERE experiment_id = ?1) = "
        "(SELECT shards || ' ' || sampled || ' ' || model_version FROM experiment WHERE experiment_id = ?2) AND NOT EXISTS "
        "(" MEMBERS("point, variation, baseline, frontend, machine_id",
                    "point") ") AND NOT EXISTS "
                             "(" MEMBERS("trace, frontend, trace_id",
                                         "readable_trace") ") AND NOT EXISTS (SELECT 1 FROM search_experiment WHERE "
                                                           "experiment_id = ?2)",
        &ask, error));
#undef MEMBERS
    sqlite3_bind_int64(ask, 1, now);
    sqlite3_bind_int64(ask, 2, before);
    const enum ws_status status = ws_sql_step(results, ask, &row, error);
    *all = row && sqlite3_column_int(ask, 0) != 0;
    sqlite3_finalize(ask);
    return status;
}

static const char *const rename_before[] = {"UPDATE experiment SET experiment = experiment || ' (run ' || run || ')', "
                                            "earlier_of = experiment WHERE experiment_id = ?2",
                                            NULL};

/* Adds the members of the newest run, which then is no separate run, to the run before. */
static const char *const continue_before[] = {
    "DELETE FROM point WHERE experiment_id = ?2",
    "DELETE FROM experiment_trace WHERE experiment_id = ?2",
    "UPDATE point SET experiment_id = ?2 WHERE experiment_id = ?1",
    "UPDATE experiment_trace SET experiment_id = ?2 WHERE experiment_id = ?1",
    "UPDATE experiment SET (about, machine, skipped) = (SELECT about, machine, skipped FROM experiment WHERE experiment_id = ?1) "
    "WHERE experiment_id = ?2",
    "DELETE FROM experiment WHERE experiment_id = ?1",
    "UPDATE experiment SET experiment = earlier_of, earlier_of = NULL WHERE experiment_id = ?2",
    NULL};

static enum ws_status record_run(struct ws_results *results, const struct ws_experiment *experiment,
                                 const struct ws_recorded *points, const struct ws_recorded_trace *traces, size_t trace_count,
                                 u32 *run, struct ws_error *error)
{
    sqlite3_int64 now = 0, before = 0;
    u32 last;
    bool continues = false;
    WS_TRY(find_newest(results, experiment->name, &before, &last, error));
    WS_TRY(execute_all(results, rename_before, now, before, error));
    WS_TRY(put_experiment(results, experiment, last + 1, &now, error));
    WS_TRY(put_points(results, experiment, points, NULL, now, error));
    WS_TRY(put_experiment_traces(results, experiment, traces, trace_count, now, error));
    WS_TRY(contains(results, now, before, &continues, error));
    *run = continues ? last : last + 1;
    return continues ? execute_all(results, continue_before, now, before, error) : WS_STATUS_ok;
}

enum ws_status ws_record_experiment(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                    struct ws_recorded_trace *traces, size_t trace_count, u32 *run, struct ws_error *error)
{
    WS_TRY(ws_sql_begin(results, error));
    enum ws_status status = record_machines(results, experiment, points, error);
    WS_THEN(status, record_traces(results, traces, trace_count, error));
    WS_THEN(status, record_run(results, experiment, points, traces, trace_count, run, error));
    return ws_sql_end(results, status, error);
}

/* ---- Growth ---- */

static enum ws_status link_experiment(struct ws_results *results, const struct ws_sweep_growth *growth, sqlite3_int64 id,
                                      struct ws_error *error)
{
    sqlite3_stmt *put;
    WS_TRY(ws_sql_prepare(
        results, "INSERT INTO search_experiment (search_id, fidelity, size, experiment_id) VALUES (?1, ?2, ?3, ?4)", &put, error));
    sqlite3_bind_int64(put, 1, growth->search);
    sqlite3_bind_int64(put, 2, growth->fidelity);
    ws_sql_bind_text(put, 3, growth->size);
    sqlite3_bind_int64(put, 4, id);
    const enum ws_status status = ws_sql_execute(results, put, error);
    sqlite3_finalize(put);
    return status;
}

/* The experiment of the search and fidelity; a new run if it has none yet. */
static enum ws_status find_grown(struct ws_results *results, const struct ws_experiment *experiment,
                                 const struct ws_sweep_growth *growth, sqlite3_int64 *id, struct ws_error *error)
{
    sqlite3_int64 before = 0;
    sqlite3_stmt *find;
    bool row;
    u32 last;
    WS_TRY(ws_sql_prepare(results, "SELECT experiment_id FROM search_experiment WHERE search_id = ?1 AND fidelity = ?2", &find,
                          error));
    sqlite3_bind_int64(find, 1, growth->search);
    sqlite3_bind_int64(find, 2, growth->fidelity);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    *id = row ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_finalize(find);
    if (status != WS_STATUS_ok || *id)
        return status;
    WS_TRY(find_newest(results, experiment->name, &before, &last, error));
    WS_TRY(execute_all(results, rename_before, 0, before, error));
    WS_TRY(put_experiment(results, experiment, last + 1, id, error));
    return link_experiment(results, growth, *id, error);
}

/* The experiment's traces stay what they were. */
static enum ws_status check_traces(struct ws_results *results, const struct ws_recorded_trace *traces, size_t count,
                                   sqlite3_int64 id, struct ws_error *error)
{
    sqlite3_stmt *find;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(ws_sql_prepare(
        results, "SELECT trace_id FROM experiment_trace WHERE experiment_id = ?1 AND trace = ?2 AND frontend = ?3", &find, error));
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++) {
        bool row;
        sqlite3_bind_int64(find, 1, id);
        ws_sql_bind_text(find, 2, traces[n].name);
        ws_sql_bind_text(find, 3, traces[n].frontend);
        status = ws_sql_step(results, find, &row, error);
        if (status == WS_STATUS_ok && (!row || sqlite3_column_int64(find, 0) != traces[n].key.id))
            status = ws_fail(error, WS_STATUS_bad_input,
                             "%s: trace %s is not the one that the search has used until now; name another results file",
                             results->path, traces[n].name);
        sqlite3_reset(find);
    }
    sqlite3_finalize(find);
    return status;
}

static enum ws_status link_points(struct ws_results *results, const struct ws_experiment *experiment,
                                  const struct ws_sweep_growth *growth, sqlite3_int64 id, struct ws_error *error)
{
    sqlite3_stmt *link;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(ws_sql_prepare(results,
                          "UPDATE search_point SET point_id = (SELECT point_id FROM point WHERE experiment_id = ?1 AND point = ?2) "
                          "WHERE search_id = ?3 AND ordinal = ?4",
                          &link, error));
    for (size_t n = 0; n < experiment->point_count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(link, 1, id);
        ws_sql_bind_text(link, 2, experiment->points[n].label);
        sqlite3_bind_int64(link, 3, growth->search);
        sqlite3_bind_int64(link, 4, growth->positions[n]);
        status = ws_sql_execute(results, link, error);
    }
    sqlite3_finalize(link);
    return status;
}

static enum ws_status grow(struct ws_results *results, const struct ws_experiment *experiment, const struct ws_recorded *points,
                           const struct ws_recorded_trace *traces, size_t trace_count, const struct ws_sweep_growth *growth,
                           struct ws_error *error)
{
    sqlite3_int64 id, begun;
    char question[120];
    WS_TRY(find_grown(results, experiment, growth, &id, error));
    snprintf(question, sizeof question, "SELECT count(*) FROM experiment_trace WHERE experiment_id = %lld", (long long)id);
    WS_TRY(ws_sql_number(results, question, &begun, error));
    if (begun)
        WS_TRY(check_traces(results, traces, trace_count, id, error));
    else
        WS_TRY(put_experiment_traces(results, experiment, traces, trace_count, id, error));
    WS_TRY(put_points(results, experiment, points, growth->positions, id, error));
    return link_points(results, experiment, growth, id, error);
}

enum ws_status ws_record_growth(struct ws_results *results, const struct ws_experiment *experiment, struct ws_recorded *points,
                                struct ws_recorded_trace *traces, size_t trace_count, const struct ws_sweep_growth *growth,
                                struct ws_error *error)
{
    WS_TRY(ws_sql_begin(results, error));
    enum ws_status status = record_machines(results, experiment, points, error);
    WS_THEN(status, record_traces(results, traces, trace_count, error));
    WS_THEN(status, grow(results, experiment, points, traces, trace_count, growth, error));
    return ws_sql_end(results, status, error);
}

enum ws_status ws_record_renumber(struct ws_results *results, struct ws_error *error)
{
#define LAST_EARLIER "(SELECT max(run) FROM experiment AS earlier WHERE earlier.earlier_of = experiment.experiment)"
    return ws_sql_run(results, "UPDATE experiment SET run = 1 + " LAST_EARLIER " WHERE run <= " LAST_EARLIER, "number the runs",
                      error);
#undef LAST_EARLIER
}
