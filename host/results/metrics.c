/* Metrics of one job, outside of any results file. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "results/columns.h"
#include "results/sql.h"
#include "warpsweep/results.h"

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

static void add_counters(struct ws_text *sql, const u64 *counters)
{
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        if (counter->bins == 0)
            ws_text_add(sql, ", %" PRIu64 " AS %s", counters[counter->index], counter->name);
        for (u32 bin = 0; bin < counter->bins; bin++)
            ws_text_add(sql, ", %" PRIu64 " AS %s_%u", counters[counter->index + bin], counter->name, bin);
    }
}

/* The row that the view `result` would have. */
static void add_question(struct ws_text *sql, const struct ws_machine *machine, const u64 *counters)
{
    ws_text_add(sql, "SELECT 0");
    ws_add_metrics(sql);
    ws_text_add(sql, " FROM (SELECT *, cycles AS sm_cycles");
    ws_add_metric_terms(sql, "1");
    ws_text_add(sql, " FROM (SELECT 0");
    add_parameters(sql, machine);
    add_counters(sql, counters);
    ws_text_add(sql, "))");
}

static enum ws_status ask(struct ws_results *nowhere, const char *sql, double *values, struct ws_error *error)
{
    size_t count;
    sqlite3_stmt *answer;
    bool row;
    ws_metrics(&count);
    WS_TRY(ws_sql_prepare(nowhere, sql, &answer, error));
    const enum ws_status status = ws_sql_step(nowhere, answer, &row, error);
    for (int n = 0; status == WS_STATUS_ok && n < (int)count; n++)
        values[n] = sqlite3_column_type(answer, n + 1) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(answer, n + 1);
    sqlite3_finalize(answer);
    return status;
}

enum ws_status ws_metric_values(const struct ws_machine *machine, const u64 *counters, double *values, struct ws_error *error)
{
    struct ws_results nowhere = {.path = (char[]){"metrics"}};
    struct ws_text sql = {0};
    enum ws_status status = WS_STATUS_ok;
    add_question(&sql, machine, counters);
    if (sql.failed)
        status = ws_fail(error, WS_STATUS_no_memory, "metrics: out of memory");
    else if (sqlite3_open_v2(":memory:", &nowhere.database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        status = ws_sql_fail(&nowhere, "begin", error);
    if (status == WS_STATUS_ok)
        status = ask(&nowhere, sql.data, values, error);
    sqlite3_close(nowhere.database);
    ws_text_free(&sql);
    return status;
}
