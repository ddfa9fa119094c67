/* The report of a comparison: matched kernels, differing metrics, possible reasons. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "tables/compare.h"

enum { LONGEST_SCRIPT = 800 };

/* ---- Matching ---- */

static const char match_kernels[] =
    "CREATE TABLE kernel AS SELECT a.experiment, a.point, a.trace, a.shards, a.point_position, a.trace_position, a.state AS a, "
    "b.state AS b, 0 AS changed FROM a LEFT JOIN b USING (" WS_COMPARE_KEY ") UNION ALL SELECT b.experiment, b.point, b.trace, "
    "b.shards, b.point_position, b.trace_position, NULL, b.state, 0 FROM b LEFT JOIN a USING (" WS_COMPARE_KEY ") "
    "WHERE a.experiment IS NULL;"
    "CREATE UNIQUE INDEX kernel_by_key ON kernel (" WS_COMPARE_KEY ");"
    "CREATE TABLE measure (kernel_id, metric, name, a, b, difference, changed)";

static const char mark_changes[] = "UPDATE measure SET difference = 1.0 * (b - a) / a;"
                                   "UPDATE kernel SET changed = 1 WHERE rowid IN (SELECT kernel_id FROM measure WHERE changed)";

/* Values that are NULL in both files are equal; NULL and a number differ; NULL for a counter that was not measured is not compared.
 */
static enum ws_status measure(struct ws_results *comparison, const char *name, size_t metric, double tolerance,
                              struct ws_error *error)
{
    char script[LONGEST_SCRIPT];
    snprintf(script, sizeof script,
             "INSERT INTO measure SELECT kernel.rowid, %zu, '%s', a.m%zu, b.m%zu, NULL, CASE WHEN a.m%zu IS b.m%zu THEN 0 "
             "WHEN abs(b.m%zu - a.m%zu) <= %.17g * abs(a.m%zu) THEN 0 ELSE 1 END FROM kernel JOIN a USING (" WS_COMPARE_KEY ") "
             "JOIN b USING (" WS_COMPARE_KEY ") WHERE kernel.a = 'ok' AND kernel.b = 'ok' AND (a.measured OR a.m%zu NOT NULL) "
             "AND (b.measured OR b.m%zu NOT NULL)",
             metric, name, metric, metric, metric, metric, metric, metric, tolerance, metric, metric, metric);
    return ws_sql_run(comparison, script, "compare", error);
}

enum ws_status ws_compare_match(struct ws_results *comparison, const char **names, size_t count, double tolerance,
                                struct ws_error *error)
{
    WS_TRY(ws_sql_run(comparison, match_kernels, "compare", error));
    for (size_t n = 0; n < count; n++)
        WS_TRY(measure(comparison, names[n], n, tolerance, error));
    return ws_sql_run(comparison, mark_changes, "compare", error);
}

/* ---- Reporting ---- */

/* Input of a reporting function: the current row of an answer. */
typedef void report_function(const struct ws_compare_sink *sink, sqlite3_stmt *row);

static size_t number(sqlite3_stmt *row, int column)
{
    return (size_t)sqlite3_column_int64(row, column);
}

static double real(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(row, column);
}

static bool is_whole(sqlite3_stmt *row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_INTEGER;
}

static void report_note(const struct ws_compare_sink *sink, sqlite3_stmt *row)
{
    sink->note(sink->context, &(struct ws_compare_note){.experiment = ws_sql_text(row, 0),
                                                        .kind = ws_sql_text(row, 1),
                                                        .name = ws_sql_text(row, 2),
                                                        .a = ws_sql_text(row, 3),
                                                        .b = ws_sql_text(row, 4),
                                                        .count = number(row, 5)});
}

static void report_point(const struct ws_compare_sink *sink, sqlite3_stmt *row)
{
    sink->point(sink->context, &(struct ws_compare_point){.experiment = ws_sql_text(row, 0),
                                                          .point = ws_sql_text(row, 1),
                                                          .metric = ws_sql_text(row, 2),
                                                          .kernels = number(row, 3),
                                                          .changed = number(row, 4),
                                                          .ratio = real(row, 5)});
}

static void report_change(const struct ws_compare_sink *sink, sqlite3_stmt *row)
{
    sink->change(sink->context, &(struct ws_compare_change){.experiment = ws_sql_text(row, 0),
                                                            .point = ws_sql_text(row, 1),
                                                            .trace = ws_sql_text(row, 2),
                                                            .shards = number(row, 3),
                                                            .metric = ws_sql_text(row, 4),
                                                            .whole = is_whole(row, 5) || is_whole(row, 6),
                                                            .a = real(row, 5),
                                                            .b = real(row, 6),
                                                            .difference = real(row, 7)});
}

static void report_other(const struct ws_compare_sink *sink, sqlite3_stmt *row)
{
    sink->other(sink->context, &(struct ws_compare_other){.experiment = ws_sql_text(row, 0),
                                                          .point = ws_sql_text(row, 1),
                                                          .trace = ws_sql_text(row, 2),
                                                          .shards = number(row, 3),
                                                          .a = ws_sql_text(row, 4),
                                                          .b = ws_sql_text(row, 5)});
}

/* Properties that should agree in both files; for each kind the first difference, and the number of differences. */
#define BOTH "FROM a JOIN b USING (experiment, point, trace) "
static const char notes[] =
    "SELECT experiment, kind, name, a, b, count(*), min(position) FROM ("
    "SELECT experiment, -2 AS position, 'model version' AS kind, '' AS name, a.model_version AS a, b.model_version AS b " BOTH
    "UNION SELECT experiment, -1, 'shards', '', a.shards, b.shards " BOTH
    "UNION SELECT experiment, a.trace_position, 'trace', trace, a.trace_digest, b.trace_digest " BOTH
    "UNION SELECT experiment, a.point_position, 'machine of point', point, a.machine_digest, b.machine_digest " BOTH
    "UNION SELECT experiment, a.point_position, 'counters of point', point, iif(a.measured, 'all', 'some'), "
    "iif(b.measured, 'all', 'some') " BOTH "WHERE a.state = 'ok' AND b.state = 'ok' "
    ") WHERE a <> b GROUP BY experiment, kind";

/* Merges parameters that differ in the same way. */
static const char settings[] = "SELECT experiment, parameter, point, a, b, count(*), min(point_position) FROM setting "
                               "GROUP BY experiment, number, a, b ORDER BY experiment, number";

static const struct {
    const char *question;
    report_function *report;
} reports[] = {
    {notes, report_note},
    {settings, report_note},
    {"SELECT experiment, point, name, count(*), sum(measure.changed), exp(avg(ln(1.0 * measure.b / measure.a))) "
     "FROM measure JOIN kernel ON kernel.rowid = kernel_id GROUP BY experiment, point, metric HAVING sum(measure.changed) > 0 "
     "ORDER BY experiment, point_position, point, metric",
     report_point},
    {"SELECT experiment, point, trace, shards, name, measure.a, measure.b, difference FROM measure "
     "JOIN kernel ON kernel.rowid = kernel_id WHERE measure.changed "
     "ORDER BY abs(difference) DESC NULLS FIRST, experiment, point_position, point, trace_position, trace, metric",
     report_change},
    {"SELECT experiment, point, trace, shards, a, b FROM kernel WHERE a IS NOT b "
     "ORDER BY experiment, point_position, point, trace_position, trace, shards",
     report_other},
};

static const char count_kernels[] =
    "SELECT count(*) FILTER (WHERE a = b AND NOT changed), count(*) FILTER (WHERE changed), count(*) FILTER (WHERE a <> b), "
    "count(*) FILTER (WHERE a NOT NULL AND b IS NULL), count(*) FILTER (WHERE a IS NULL AND b NOT NULL) FROM kernel";

static enum ws_status summarise(struct ws_results *comparison, struct ws_compare_summary *summary, struct ws_error *error)
{
    sqlite3_stmt *counts;
    bool row;
    WS_TRY(ws_sql_prepare(comparison, count_kernels, &counts, error));
    const enum ws_status status = ws_sql_step(comparison, counts, &row, error);
    if (status == WS_STATUS_ok)
        *summary = (struct ws_compare_summary){.same = number(counts, 0),
                                               .changed = number(counts, 1),
                                               .failed = number(counts, 2),
                                               .only_a = number(counts, 3),
                                               .only_b = number(counts, 4)};
    sqlite3_finalize(counts);
    return status;
}

static enum ws_status report_rows(struct ws_results *comparison, sqlite3_stmt *rows, report_function *report,
                                  const struct ws_compare_sink *sink, struct ws_error *error)
{
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(comparison, rows, &row, error));
        if (!row)
            return WS_STATUS_ok;
        report(sink, rows);
    }
}

enum ws_status ws_compare_report(struct ws_results *comparison, const struct ws_compare_sink *sink,
                                 struct ws_compare_summary *summary, struct ws_error *error)
{
    WS_TRY(summarise(comparison, summary, error));
    for (size_t n = 0; n < sizeof reports / sizeof *reports; n++) {
        sqlite3_stmt *rows;
        WS_TRY(ws_sql_prepare(comparison, reports[n].question, &rows, error));
        const enum ws_status status = report_rows(comparison, rows, reports[n].report, sink, error);
        sqlite3_finalize(rows);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}
