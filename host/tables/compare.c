/* Comparing two results files: choice of metrics, and the kernels of both files. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/schema/columns.h"
#include "results/schema/schema.h"
#include "results/schema/view.h"
#include "tables/compare.h"

/* Every expected kernel of a file: its state is "ok", the status of a failed shard, or NULL while shards are missing. It is
 * complete if no counter is NULL (counters that the recording build did not have are). 0.5, not a possible counter value, marks
 * that. */
#define KERNELS                                                                                                                    \
    "SELECT whole.*, CASE WHEN failure NOT NULL THEN failure WHEN kernel.experiment NOT NULL THEN 'ok' END AS state, (0.5 IN "     \
    "(0%s)) "                                                                                                                      \
    "NOT NULL AS measured%s FROM (SELECT "                                                                                         \
    "experiment, point, experiment_trace.trace AS trace, " WS_SHARDS_RUN " AS shards, point.position AS point_position, "          \
    "experiment_trace.position AS trace_position, experiment.model_version AS model_version, machine_digest, trace_digest, "       \
    "min(status) FILTER (WHERE status <> 'ok') AS failure "                                                                        \
    "FROM selected AS experiment JOIN point USING (experiment_id) JOIN experiment_trace USING (experiment_id, frontend) "          \
    "JOIN machine USING (machine_id) JOIN trace USING (trace_id) LEFT JOIN job ON job.machine_id = point.machine_id "              \
    "AND job.trace_id = experiment_trace.trace_id AND " WS_JOB_OF_EXPERIMENT " GROUP BY point_id, experiment_trace_id) AS whole "  \
    "LEFT JOIN kernel USING (experiment, point, trace)"

#define COLUMNS                                                                                                                    \
    WS_COMPARE_KEY ", point_position, trace_position, model_version, machine_digest, trace_digest, failure, state, "               \
                   "measured"

enum { COLUMN_COUNT = 12 };

/* The chosen columns of the view kernel. */
struct metrics {
    const char **names;
    size_t count;
};

/* ---- Metrics ---- */

static enum ws_status choose_metric(const struct ws_view *view, const char *name, struct metrics *metrics, struct ws_error *error)
{
    size_t column;
    if (strcmp(name, "all") == 0)
        return ws_fail(error, WS_STATUS_usage, "%s: found metric 'all' beside others, allowed is 'all' alone", view->results->path);
    WS_TRY(ws_view_find(view, name, strlen(name), &column, error));
    const char *const found = ws_view_column(view, column);
    if (!ws_view_is_computed(view, column))
        return ws_fail(error, WS_STATUS_usage, "%s: found '%s', allowed are counters and metrics ('warpsweep list')",
                       view->results->path, found);
    for (size_t n = 0; n < metrics->count; n++)
        if (strcmp(metrics->names[n], found) == 0)
            return ws_fail(error, WS_STATUS_usage, "%s: metric '%s' is named twice; remove one", view->results->path, found);
    metrics->names[metrics->count++] = found;
    return WS_STATUS_ok;
}

static void choose_all(const struct ws_view *view, struct metrics *metrics)
{
    for (size_t n = 0; n < ws_view_columns(view); n++)
        if (ws_view_is_computed(view, n))
            metrics->names[metrics->count++] = ws_view_column(view, n);
}

/* The names belong to the view. */
static enum ws_status choose_metrics(const struct ws_view *view, const struct ws_compare_options *options, struct metrics *metrics,
                                     struct ws_error *error)
{
    static const char *const standard[] = {"cycles", "ipc"};
    const bool given = options->metric_count > 0;
    const size_t count = given ? options->metric_count : sizeof standard / sizeof *standard;
    metrics->names = calloc(ws_view_columns(view), sizeof *metrics->names);
    if (!metrics->names)
        return ws_sql_no_memory(view->results, error);
    if (count == 1 && strcmp(options->metrics[0], "all") == 0) {
        choose_all(view, metrics);
        return WS_STATUS_ok;
    }
    for (size_t n = 0; n < count; n++)
        WS_TRY(choose_metric(view, given ? options->metrics[n] : standard[n], metrics, error));
    return WS_STATUS_ok;
}

/* ---- Kernels ---- */

static enum ws_status make_table(struct ws_results *comparison, const char *table, size_t metrics, struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "CREATE TABLE %s (" COLUMNS, table);
    for (size_t n = 0; n < metrics; n++)
        ws_text_add(&sql, ", m%zu", n);
    ws_text_add(&sql, ", PRIMARY KEY (" WS_COMPARE_KEY "))");
    const enum ws_status status =
        sql.failed ? ws_sql_no_memory(comparison, error) : ws_sql_run(comparison, sql.data, "make tables", error);
    ws_text_free(&sql);
    return status;
}

static enum ws_status prepare_insert(struct ws_results *comparison, const char *table, size_t metrics, sqlite3_stmt **insert,
                                     struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "INSERT INTO %s VALUES (?", table);
    for (size_t n = 1; n < COLUMN_COUNT + metrics; n++)
        ws_text_add(&sql, ", ?");
    ws_text_add(&sql, ")");
    const enum ws_status status =
        sql.failed ? ws_sql_no_memory(comparison, error) : ws_sql_prepare(comparison, sql.data, insert, error);
    ws_text_free(&sql);
    return status;
}

static enum ws_status prepare_select(struct ws_results *results, const struct metrics *metrics, sqlite3_stmt **select,
                                     struct ws_error *error)
{
    struct ws_text counters = {0}, columns = {0}, sql = {0};
    ws_add_counter_columns(&counters, "");
    for (size_t n = 0; n < metrics->count; n++)
        ws_text_add(&columns, ", kernel.%s", metrics->names[n]);
    if (!counters.failed && !columns.failed)
        ws_text_add(&sql, KERNELS, counters.data, columns.data);
    const enum ws_status status =
        sql.length == 0 || sql.failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql.data, select, error);
    ws_text_free(&counters);
    ws_text_free(&columns);
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_compare_copy_rows(struct ws_results *results, sqlite3_stmt *select, struct ws_results *comparison,
                                    sqlite3_stmt *insert, struct ws_error *error)
{
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(results, select, &row, error));
        if (!row)
            return WS_STATUS_ok;
        ws_sql_pass_row(select, insert);
        WS_TRY(ws_sql_execute(comparison, insert, error));
    }
}

/* Copies the kernels of a file into a table of the comparison. */
static enum ws_status take_kernels(struct ws_results *results, const struct metrics *metrics, struct ws_results *comparison,
                                   const char *table, struct ws_error *error)
{
    sqlite3_stmt *select = NULL, *insert = NULL;
    enum ws_status status = make_table(comparison, table, metrics->count, error);
    WS_THEN(status, prepare_insert(comparison, table, metrics->count, &insert, error));
    WS_THEN(status, prepare_select(results, metrics, &select, error));
    WS_THEN(status, ws_compare_copy_rows(results, select, comparison, insert, error));
    sqlite3_finalize(select);
    sqlite3_finalize(insert);
    return status;
}

/* ---- Choice of experiments ---- */

/* Two files with one experiment each (sweeps without an experiment file) are compared regardless of names. */
static const char pair_experiments[] =
    "UPDATE b SET experiment = (SELECT experiment FROM a LIMIT 1) WHERE (SELECT count(DISTINCT experiment) FROM a) = 1 AND "
    "(SELECT count(DISTINCT experiment) FROM b) = 1";

/* ---- The comparison ---- */

static enum ws_status compare(struct ws_results *a, struct ws_results *b, const struct metrics *metrics,
                              const struct ws_compare_options *options, const struct ws_compare_sink *sink,
                              struct ws_compare_summary *summary, struct ws_error *error)
{
    struct ws_results comparison = {.path = (char[]){"the comparison"}};
    enum ws_status status = WS_STATUS_ok;
    if (sqlite3_open_v2(":memory:", &comparison.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        status = ws_sql_fail(&comparison, "begin", error);
    WS_THEN(status, take_kernels(a, metrics, &comparison, "a", error));
    WS_THEN(status, take_kernels(b, metrics, &comparison, "b", error));
    WS_THEN(status, ws_sql_run(&comparison, pair_experiments, "compare", error));
    WS_THEN(status, ws_compare_choose(&comparison, a->path, b->path, options, error));
    WS_THEN(status, ws_compare_match(&comparison, metrics->names, metrics->count, options->tolerance, error));
    WS_THEN(status, ws_compare_settings(&comparison, a, b, error));
    WS_THEN(status, ws_compare_report(&comparison, sink, summary, error));
    sqlite3_close(comparison.database);
    return status;
}

enum ws_status ws_results_compare(const char *a, const char *b, const struct ws_compare_options *options,
                                  const struct ws_compare_sink *sink, struct ws_compare_summary *summary, struct ws_error *error)
{
    static const struct ws_compare_options standard = {WS_STRUCT(compare_options)};
    struct ws_results *file_a = NULL, *file_b = NULL;
    struct ws_view view = {0};
    struct metrics metrics = {0};
    options = options ? options : &standard;
    WS_TRY(WS_STRUCT_CHECK(compare_options, options, error));
    WS_TRY(WS_STRUCT_CHECK(compare_sink, sink, error));
    *summary = (struct ws_compare_summary){0};
    enum ws_status status = ws_results_open(a, WS_RESULTS_READ, &file_a, error);
    WS_THEN(status, ws_results_open(b, WS_RESULTS_READ, &file_b, error));
    if (status == WS_STATUS_ok && options->run_a)
        status = ws_results_choose_run(file_a, options->run_a, error);
    if (status == WS_STATUS_ok && options->run_b)
        status = ws_results_choose_run(file_b, options->run_b, error);
    WS_THEN(status, ws_view_open(file_a, "kernel", &view, error));
    WS_THEN(status, choose_metrics(&view, options, &metrics, error));
    WS_THEN(status, compare(file_a, file_b, &metrics, options, sink, summary, error));
    free(metrics.names);
    ws_view_close(&view);
    ws_results_close(file_a, NULL);
    ws_results_close(file_b, NULL);
    return status;
}
