/* Metrics as expressions over a row of counters; evaluation without a results file. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "results/schema/columns.h"
#include "results/schema/metrics.h"
#include "results/sql.h"
#include "warpsweep/results.h"

static const struct ws_metric metrics[] = {
#define METRIC(name_, expression, unit_, doc_) {.name = #name_, .unit = (unit_), .doc = (doc_)},
#include "results/schema/metrics.def"
#undef METRIC
};

static const char *const expressions[] = {
#define METRIC(name, expression, unit, doc) expression,
#include "results/schema/metrics.def"
#undef METRIC
};

enum { METRICS = sizeof metrics / sizeof *metrics };

const struct ws_metric *ws_metrics(size_t *count)
{
    *count = METRICS;
    return metrics;
}

size_t ws_metric_count(void)
{
    return METRICS;
}

const char *ws_metric_name(size_t n)
{
    return metrics[n].name;
}

const char *ws_metric_expression(size_t n)
{
    return expressions[n];
}

void ws_add_metrics(struct ws_text *text)
{
    for (size_t n = 0; n < METRICS; n++)
        ws_text_add(text, ", %s AS %s", expressions[n], metrics[n].name);
}

void ws_add_metric_terms(struct ws_text *text, const char *sms)
{
    ws_text_add(text, ", warp_instructions + stall_idle + stall_scoreboard + stall_pipeline AS slots, 0");
    for (u32 lanes = 1; lanes <= WS_COUNT_active_lanes_last - WS_COUNT_active_lanes; lanes++)
        ws_text_add(text, " + %u * active_lanes_%u", lanes, lanes);
    ws_text_add(text, " AS lanes");
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        for (int leaks = 0; leaks < 2; leaks++) {
            ws_text_add(text, ", ");
            ws_energy_add_sql(text, profile, leaks, sms);
            ws_text_add(text, " AS %s_%s", leaks ? "static" : "dynamic", ws_energy_profile_names[profile]);
        }
    }
}

/* ---- Of one machine ---- */

static void add_parameters(struct ws_text *sql, const struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        char value[64];
        ws_machine_get(machine, n, value, sizeof value);
        ws_text_add(sql, parameters[n].set ? ", '%s' AS %s" : ", %s AS %s", value, ws_parameter_column(n).name);
    }
}

/* Counter n of a job is variable n + 1 of the query. */
static void add_counters(struct ws_text *sql)
{
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        if (counter->bins == 0)
            ws_text_add(sql, ", ?%u AS %s", counter->index + 1, counter->name);
        for (u32 bin = 0; bin < counter->bins; bin++)
            ws_text_add(sql, ", ?%u AS %s_%u", counter->index + bin + 1, counter->name, bin);
    }
}

/* The corresponding row of the view `result`. */
static void add_question(struct ws_text *sql, const struct ws_machine *machine)
{
    ws_text_add(sql, "SELECT 0");
    ws_add_metrics(sql);
    ws_text_add(sql, " FROM (SELECT *, cycles AS sm_cycles");
    ws_add_metric_terms(sql, "1");
    ws_text_add(sql, " FROM (SELECT 0");
    add_parameters(sql, machine);
    add_counters(sql);
    ws_text_add(sql, "))");
}

struct ws_metric_query {
    struct ws_results nowhere; /* an in-memory database without tables */
    sqlite3_stmt *question;
};

static enum ws_status prepare(struct ws_metric_query *query, const struct ws_machine *machine, struct ws_error *error)
{
    struct ws_text sql = {0};
    enum ws_status status = WS_STATUS_ok;
    add_question(&sql, machine);
    if (sql.failed)
        status = ws_fail(error, WS_STATUS_no_memory, "metrics: out of memory");
    else if (sqlite3_open_v2(":memory:", &query->nowhere.database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = ws_sql_fail(&query->nowhere, "begin", error);
    WS_THEN(status, ws_sql_prepare(&query->nowhere, sql.data, &query->question, error));
    ws_text_free(&sql);
    return status;
}

enum ws_status ws_metric_query_open(const struct ws_machine *machine, struct ws_metric_query **query, struct ws_error *error)
{
    static char path[] = "metrics";
    *query = calloc(1, sizeof **query);
    if (!*query)
        return ws_fail(error, WS_STATUS_no_memory, "metrics: out of memory");
    (*query)->nowhere.path = path;
    const enum ws_status status = prepare(*query, machine, error);
    if (status != WS_STATUS_ok) {
        ws_metric_query_close(*query);
        *query = NULL;
    }
    return status;
}

enum ws_status ws_metric_query_values(struct ws_metric_query *query, const u64 *counters, double *values, struct ws_error *error)
{
    size_t count;
    bool row;
    ws_metrics(&count);
    sqlite3_reset(query->question);
    for (int n = 0; n < sqlite3_bind_parameter_count(query->question); n++)
        sqlite3_bind_int64(query->question, n + 1, (sqlite3_int64)counters[n]);
    WS_TRY(ws_sql_step(&query->nowhere, query->question, &row, error));
    for (int n = 0; n < (int)count; n++)
        values[n] = sqlite3_column_type(query->question, n + 1) == SQLITE_NULL ? (double)NAN
                                                                               : sqlite3_column_double(query->question, n + 1);
    return WS_STATUS_ok;
}

void ws_metric_query_close(struct ws_metric_query *query)
{
    if (!query)
        return;
    sqlite3_finalize(query->question);
    sqlite3_close(query->nowhere.database);
    free(query);
}

enum ws_status ws_metric_values(const struct ws_machine *machine, const u64 *counters, double *values, struct ws_error *error)
{
    struct ws_metric_query *query;
    WS_TRY(ws_metric_query_open(machine, &query, error));
    const enum ws_status status = ws_metric_query_values(query, counters, values, error);
    ws_metric_query_close(query);
    return status;
}
