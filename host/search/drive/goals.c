#include "search/drive/goals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/schema/schema.h"

/* Parameters whose 0 is no limit, and so no storage. */
static const char *const unlimited[] = {
#define UNLIMITED(key, column, part, condition) key,
#include "search/drive/unlimited.def"
#undef UNLIMITED
};

/* ---- Compiling ---- */

/* Whether an expression counts the storage of a structure. */
static bool counts_storage(const struct ws_space_text *from)
{
    const char *name;
    for (size_t n = 0; (name = ws_storage_name(n)); n++)
        if (strstr(from->text, name))
            return true;
    return false;
}

/* An axis with 0, unlimited, among other values would make the unlimited machine the smallest. */
static enum ws_status check_storage(const struct ws_space *space, const struct ws_space_text *from, struct ws_error *error)
{
    if (!counts_storage(from))
        return WS_STATUS_ok;
    for (size_t n = 0; n < sizeof unlimited / sizeof *unlimited; n++)
        for (u32 axis = 0; axis < space->axis_count; axis++)
            if (strcmp(space->axes[axis].key, unlimited[n]) == 0 && space->axes[axis].values[0] == 0)
                return ws_fail(error, WS_STATUS_bad_input,
                               "%s'%s' counts storage, but axis %s has 0, unlimited, which has no number of bits; leave 0 out",
                               from->place, from->text, unlimited[n]);
    return WS_STATUS_ok;
}

/* The machine would be the baseline, but is no point. */
static enum ws_status missing_baseline(const struct ws_space *space, struct ws_error *error)
{
    const char *const name = space->experiment->file ? space->experiment->file : space->experiment->name;
    for (u32 n = 0; n < space->axis_count; n++) {
        const struct ws_space_axis *const axis = &space->axes[n];
        const u32 own = ((const u32 *)&space->machine)[axis->parameter];
        char value[64];
        u32 choice = 0;
        while (choice < axis->count && axis->values[choice] != own)
            choice++;
        if (choice < axis->count)
            continue;
        ws_machine_get(&space->machine, axis->parameter, value, sizeof value);
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: baseline() needs a baseline, and the machine is no point of the axes: it has %s %s, which the axis "
                       "lacks; add this value, or the key baseline with a value of each such axis",
                       name, axis->key, value);
    }
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s: baseline() needs a baseline, and the constraints exclude the machine; add the key baseline with a value of "
                   "each axis",
                   name);
}

enum ws_status ws_goals_compile(const struct ws_space *space, struct ws_goals *goals, struct ws_error *error)
{
    goals->objectives = calloc(space->objective_count, sizeof *goals->objectives);
    goals->limits = calloc(space->limit_count + 1, sizeof *goals->limits);
    if (!goals->objectives || !goals->limits)
        return ws_no_memory(error);
    for (u32 n = 0; n < space->objective_count; n++) {
        const struct ws_space_text *const from = &space->objectives[n].expression;
        WS_TRY(ws_expression(from, &goals->all, &goals->objectives[goals->objective_count++], error));
        WS_TRY(check_storage(space, from, error));
    }
    for (u32 n = 0; n < space->limit_count; n++) {
        const struct ws_space_text *const from = &space->limits[n];
        struct ws_goal_limit *const limit = &goals->limits[goals->limit_count++];
        WS_TRY(ws_limit_expression(from, &goals->all, &limit->left, &limit->right, &limit->least, error));
        WS_TRY(check_storage(space, from, error));
    }
    return goals->all.baselines > 0 && !space->baseline ? missing_baseline(space, error) : WS_STATUS_ok;
}

void ws_goals_free(struct ws_goals *goals)
{
    for (u32 n = 0; n < goals->objective_count; n++)
        ws_text_free(&goals->objectives[n]);
    for (u32 n = 0; n < goals->limit_count; n++) {
        ws_text_free(&goals->limits[n].left);
        ws_text_free(&goals->limits[n].right);
    }
    free(goals->objectives);
    free(goals->limits);
    ws_expressions_free(&goals->all);
}

/* ---- Functions over workloads: (weight, value); NULL where a value is NULL, or for means not above 0 ---- */

enum function { GEOMETRIC, HARMONIC, MEAN, SUM, LEAST, MOST };

struct folded {
    double sum, weight;
    bool begun, bad;
};

static void fold(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct folded *const folded = sqlite3_aggregate_context(context, sizeof *folded);
    const enum function function = *(const enum function *)sqlite3_user_data(context);
    const double weight = sqlite3_value_double(values[0]), value = sqlite3_value_double(values[1]);
    (void)count;
    if (!folded) {
        sqlite3_result_error_nomem(context);
        return;
    }
    folded->bad =
        folded->bad || sqlite3_value_type(values[1]) == SQLITE_NULL || !isfinite(value) || (function <= HARMONIC && value <= 0);
    if (folded->bad)
        return;
    folded->weight += weight;
    if (function == LEAST || function == MOST)
        folded->sum = folded->begun && (function == LEAST ? folded->sum < value : folded->sum > value) ? folded->sum : value;
    else
        folded->sum += weight * (function == GEOMETRIC ? log(value) : function == HARMONIC ? 1 / value : value);
    folded->begun = true;
}

static void finish(sqlite3_context *context)
{
    const struct folded *const folded = sqlite3_aggregate_context(context, 0);
    const enum function function = *(const enum function *)sqlite3_user_data(context);
    if (!folded || folded->bad || !folded->begun)
        sqlite3_result_null(context);
    else
        sqlite3_result_double(context, function == GEOMETRIC  ? exp(folded->sum / folded->weight)
                                       : function == HARMONIC ? folded->weight / folded->sum
                                       : function == MEAN     ? folded->sum / folded->weight
                                                              : folded->sum);
}

static enum ws_status add_functions(struct ws_results *results, struct ws_error *error)
{
    static const struct {
        const char *name;
        enum function function;
    } functions[] = {{"over_workloads_geometric_mean", GEOMETRIC},
                     {"over_workloads_harmonic_mean", HARMONIC},
                     {"over_workloads_mean", MEAN},
                     {"over_workloads_sum", SUM},
                     {"over_workloads_min", LEAST},
                     {"over_workloads_max", MOST}};
    for (size_t n = 0; n < sizeof functions / sizeof *functions; n++)
        if (sqlite3_create_function(results->database, functions[n].name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                    (void *)(uintptr_t)&functions[n].function, NULL, fold, finish) != SQLITE_OK)
            return ws_sql_fail(results, "add SQL functions", error);
    return WS_STATUS_ok;
}

/* ---- Evaluating ---- */

/* SELECT ordinal, count(*), EXPRESSIONS of the points, one row each. expressions begins with a comma. */
static enum ws_status prepare(const struct ws_space *space, struct ws_results *results, const struct ws_text *expressions,
                              const struct ws_goal_points *points, sqlite3_stmt **statement, struct ws_error *error)
{
    struct ws_text sql = {0};
    WS_TRY(add_functions(results, error));
    ws_text_add(&sql,
                "SELECT (SELECT ordinal FROM search_point WHERE search_id = ?1 AND fidelity = ?2 AND search_point.point_id = "
                "tried.point_id), count(*)%s FROM (SELECT *, CASE trace_position",
                expressions->data);
    for (size_t n = 0; n < space->experiment->trace_count; n++)
        ws_text_add(&sql, " WHEN %zu THEN %.17g", n, space->weights[n]);
    ws_text_add(&sql, " END AS weight FROM (");
    ws_schema_kernel_rows(&sql, expressions->data,
                          "point.point_id IN (SELECT point_id FROM search_point WHERE search_id = ?1 AND fidelity = ?2 AND ordinal "
                          "BETWEEN ?3 AND ?4)");
    ws_text_add(&sql, ")) AS tried GROUP BY point_id");
    const enum ws_status status =
        sql.failed || expressions->failed ? ws_sql_no_memory(results, error) : ws_sql_prepare(results, sql.data, statement, error);
    ws_text_free(&sql);
    if (status != WS_STATUS_ok)
        return status;
    sqlite3_bind_int64(*statement, 1, points->search);
    sqlite3_bind_int64(*statement, 2, points->fidelity);
    sqlite3_bind_int64(*statement, 3, points->first);
    sqlite3_bind_int64(*statement, 4, points->last);
    return status;
}

static double column(sqlite3_stmt *row, int n)
{
    const double value = sqlite3_column_double(row, n);
    return sqlite3_column_type(row, n) == SQLITE_NULL || !isfinite(value) ? (double)NAN : value;
}

enum ws_status ws_goals_baseline(const struct ws_goals *goals, const struct ws_space *space, struct ws_results *results,
                                 const struct ws_goal_points *point, double *values, struct ws_error *error)
{
    struct ws_text expressions = {0};
    sqlite3_stmt *statement = NULL;
    bool row = false;
    for (u32 n = 0; n < goals->all.baselines; n++) {
        values[n] = (double)NAN;
        ws_text_add(&expressions, ", %s", goals->all.baseline[n].data);
    }
    if (goals->all.baselines == 0)
        return WS_STATUS_ok;
    enum ws_status status = prepare(space, results, &expressions, point, &statement, error);
    WS_THEN(status, ws_sql_step(results, statement, &row, error));
    if (row && (size_t)sqlite3_column_int64(statement, 1) == space->experiment->trace_count)
        for (u32 n = 0; n < goals->all.baselines; n++)
            values[n] = column(statement, 2 + (int)n);
    sqlite3_finalize(statement);
    ws_text_free(&expressions);
    return status;
}

/* The relative amount by which a limit is exceeded. */
static double excess_of(double left, double right, bool least)
{
    const double over = least ? right - left : left - right;
    if (isnan(over))
        return (double)INFINITY;
    return over > 0 ? over / (fabs(right) > 0 ? fabs(right) : 1) : 0;
}

static void take(const struct ws_goals *goals, sqlite3_stmt *row, double *objectives, ws_goal_fn *use, void *context)
{
    double excess = 0;
    int n = 2;
    for (u32 goal = 0; goal < goals->objective_count; goal++) {
        objectives[goal] = column(row, n++);
        if (isnan(objectives[goal]))
            excess = (double)INFINITY;
    }
    for (u32 limit = 0; limit < goals->limit_count; limit++, n += 2)
        excess += excess_of(column(row, n), column(row, n + 1), goals->limits[limit].least);
    use(context, (u32)sqlite3_column_int64(row, 0), objectives, excess);
}

enum ws_status ws_goals_evaluate(const struct ws_goals *goals, const struct ws_space *space, struct ws_results *results,
                                 const struct ws_goal_points *points, const double *baseline, ws_goal_fn *use, void *context,
                                 struct ws_error *error)
{
    struct ws_text expressions = {0};
    sqlite3_stmt *statement = NULL;
    bool row = true;
    double *const objectives = calloc(goals->objective_count, sizeof *objectives);
    for (u32 n = 0; n < goals->objective_count; n++)
        ws_text_add(&expressions, ", %s", goals->objectives[n].data);
    for (u32 n = 0; n < goals->limit_count; n++)
        ws_text_add(&expressions, ", %s, %s", goals->limits[n].left.data, goals->limits[n].right.data);
    enum ws_status status = objectives ? prepare(space, results, &expressions, points, &statement, error) : ws_no_memory(error);
    for (u32 n = 0; n < goals->all.baselines && status == WS_STATUS_ok; n++)
        sqlite3_bind_double(statement, WS_FIRST_BASELINE + (int)n, baseline[n]);
    while (status == WS_STATUS_ok && row) {
        status = ws_sql_step(results, statement, &row, error);
        if (status == WS_STATUS_ok && row && (size_t)sqlite3_column_int64(statement, 1) == space->experiment->trace_count)
            take(goals, statement, objectives, use, context);
    }
    sqlite3_finalize(statement);
    ws_text_free(&expressions);
    free(objectives);
    return status;
}
