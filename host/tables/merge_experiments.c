#include <string.h>

#include "base/error.h"
#include "tables/merge.h"

/* Facts that experiments of one name must share, one per line: name and value. */
static const char facts[] =
    "SELECT fact, value FROM (SELECT 'model version' AS fact, CAST(model_version AS TEXT) AS value, experiment FROM experiment "
    "UNION ALL SELECT 'shards', CAST(shards AS TEXT), experiment FROM experiment "
    "UNION ALL SELECT 'sampled shards', iif(sampled > 0, sampled || '', 'all'), experiment FROM experiment "
    "UNION ALL SELECT 'point ' || point, 'machine ' || machine_digest || ifnull(', baseline ' || baseline, '') || "
    "CASE variation WHEN '' THEN '' ELSE ', variation ' || variation END || "
    "CASE point.frontend WHEN '' THEN '' ELSE ', front end ' || point.frontend END, experiment "
    "FROM experiment JOIN point USING (experiment_id) JOIN machine USING (machine_id) "
    "UNION ALL SELECT 'trace ' || experiment_trace.trace || CASE frontend WHEN '' THEN '' ELSE ' with ' || frontend END, "
    "trace_digest, "
    "experiment FROM experiment JOIN experiment_trace USING (experiment_id) JOIN trace USING (trace_id)) "
    "WHERE experiment = ?1 ORDER BY fact";

/* Iterates over one file's facts about an experiment. */
struct walk {
    struct ws_results *results;
    sqlite3_stmt *facts;
    bool row;
};

static const char *fact(const struct walk *walk)
{
    return ws_sql_text(walk->facts, 0);
}

static const char *value(const struct walk *walk)
{
    return ws_sql_text(walk->facts, 1);
}

static enum ws_status begin(struct walk *walk, const char *experiment, struct ws_error *error)
{
    WS_TRY(ws_sql_prepare(walk->results, facts, &walk->facts, error));
    sqlite3_bind_text(walk->facts, 1, experiment, -1, SQLITE_STATIC);
    return WS_STATUS_ok;
}

static enum ws_status note_conflict(struct ws_merge *merge, const char *experiment, const struct walk *ours,
                                    const struct walk *theirs, int order, struct ws_error *error)
{
    long file;
    WS_TRY(ws_merge_find_origin(merge, "experiment", experiment, &file, error));
    ws_merge_conflict(merge, "experiment %s: %s: %s in %s, %s in %s", experiment, fact(order <= 0 ? ours : theirs),
                      order <= 0 ? value(ours) : "missing", ws_merge_path(merge, file), order >= 0 ? value(theirs) : "missing",
                      merge->input->path);
    return WS_STATUS_ok;
}

/* Compares both sorted lists up to the first difference. */
static enum ws_status compare_facts(struct ws_merge *merge, const char *experiment, struct walk *ours, struct walk *theirs,
                                    struct ws_error *error)
{
    for (;;) {
        WS_TRY(ws_sql_step(ours->results, ours->facts, &ours->row, error));
        WS_TRY(ws_sql_step(theirs->results, theirs->facts, &theirs->row, error));
        if (!ours->row && !theirs->row)
            return WS_STATUS_ok;
        const int order = !ours->row ? 1 : !theirs->row ? -1 : strcmp(fact(ours), fact(theirs));
        if (order != 0 || strcmp(value(ours), value(theirs)) != 0)
            return note_conflict(merge, experiment, ours, theirs, order, error);
    }
}

static enum ws_status check_experiment(struct ws_merge *merge, const char *experiment, struct ws_error *error)
{
    struct walk ours = {.results = merge->output}, theirs = {.results = merge->input};
    enum ws_status status = begin(&ours, experiment, error);
    WS_THEN(status, begin(&theirs, experiment, error));
    WS_THEN(status, compare_facts(merge, experiment, &ours, &theirs, error));
    sqlite3_finalize(ours.facts);
    sqlite3_finalize(theirs.facts);
    return status;
}

static enum ws_status copy_experiment(struct ws_merge *merge, const char *experiment, struct ws_error *error)
{
    static const struct ws_merge_table *const members[] = {&ws_merge_experiment, &ws_merge_point, &ws_merge_experiment_trace};
    for (size_t n = 0; n < sizeof members / sizeof *members; n++)
        WS_TRY(ws_merge_copy(merge, members[n], "INSERT", "experiment = ?1", experiment, error));
    return ws_merge_set_origin(merge, "experiment", experiment, error);
}

static enum ws_status take_experiment(struct ws_merge *merge, sqlite3_stmt *known, const char *experiment, struct ws_error *error)
{
    bool row;
    sqlite3_bind_text(known, 1, experiment, -1, SQLITE_STATIC);
    const enum ws_status status = ws_sql_step(merge->output, known, &row, error);
    sqlite3_reset(known);
    WS_TRY(status);
    return row ? check_experiment(merge, experiment, error) : copy_experiment(merge, experiment, error);
}

static enum ws_status take_experiments(struct ws_merge *merge, sqlite3_stmt *experiments, sqlite3_stmt *known,
                                       struct ws_error *error)
{
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(merge->input, experiments, &row, error));
        if (!row)
            return WS_STATUS_ok;
        WS_TRY(take_experiment(merge, known, ws_sql_text(experiments, 0), error));
    }
}

enum ws_status ws_merge_experiments(struct ws_merge *merge, struct ws_error *error)
{
    sqlite3_stmt *experiments = NULL, *known = NULL;
    WS_TRY(ws_merge_copy(merge, &ws_merge_machine, "INSERT OR IGNORE", "true", NULL, error));
    WS_TRY(ws_merge_copy(merge, &ws_merge_trace, "INSERT OR IGNORE", "true", NULL, error));
    enum ws_status status =
        ws_sql_prepare(merge->input, "SELECT experiment FROM experiment ORDER BY experiment", &experiments, error);
    if (status == WS_STATUS_ok)
        status = ws_sql_prepare(merge->output, "SELECT 1 FROM experiment WHERE experiment = ?1", &known, error);
    WS_THEN(status, take_experiments(merge, experiments, known, error));
    sqlite3_finalize(experiments);
    sqlite3_finalize(known);
    return status;
}
