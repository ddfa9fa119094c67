/* Searches in the results file (docs/results.md). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/documents/json.h"
#include "base/error.h"
#include "search/drive/state.h"

/* ---- The search ---- */

static void bind_optional(sqlite3_stmt *statement, int n, double value)
{
    if (value > 0)
        sqlite3_bind_double(statement, n, value);
    else
        sqlite3_bind_null(statement, n);
}

static enum ws_status put_search(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    sqlite3_stmt *put;
    bool row;
    WS_TRY(ws_sql_prepare(results,
                          "INSERT INTO search (search, run, identity, definition, method, seed, fidelities) VALUES (?1, (SELECT "
                          "ifnull(max(run), 0) + 1 FROM search WHERE search = ?1), ?2, ?3, ?4, ?5, ?6) RETURNING search_id",
                          &put, error));
    ws_sql_bind_text(put, 1, search->name);
    ws_sql_bind_text(put, 2, search->identity);
    ws_sql_bind_text(put, 3, search->definition.data);
    ws_sql_bind_text(put, 4, search->method->name);
    sqlite3_bind_int64(put, 5, (sqlite3_int64)space->seed);
    sqlite3_bind_int64(put, 6, search->fidelities);
    const enum ws_status status = ws_sql_step(results, put, &row, error);
    search->id = row ? sqlite3_column_int64(put, 0) : 0;
    sqlite3_finalize(put);
    return status;
}

/* One row of a table of the search: position and texts; the last may be NULL. */
static enum ws_status put_row(struct ws_results *results, const char *sql, sqlite3_int64 id, u32 position, const char *const *texts,
                              int count, struct ws_error *error)
{
    sqlite3_stmt *put;
    WS_TRY(ws_sql_prepare(results, sql, &put, error));
    sqlite3_bind_int64(put, 1, id);
    sqlite3_bind_int64(put, 2, position);
    for (int n = 0; n < count; n++)
        ws_sql_bind_text(put, 3 + n, texts[n]);
    const enum ws_status status = ws_sql_execute(results, put, error);
    sqlite3_finalize(put);
    return status;
}

static enum ws_status put_axis(struct ws_search_state *search, struct ws_results *results, u32 n, struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    const struct ws_space_axis *const axis = &space->axes[n];
    struct ws_machine machine = space->machine;
    struct ws_text choices = {0};
    char baseline[20] = "";
    for (u32 choice = 0; choice < axis->count; choice++) {
        char value[64];
        ((u32 *)&machine)[axis->parameter] = axis->values[choice];
        ws_machine_get(&machine, axis->parameter, value, sizeof value);
        ws_text_add(&choices, "%s", choice == 0 ? "[" : ",");
        if (axis->ordered)
            ws_text_add(&choices, "%u", axis->values[choice]);
        else
            ws_json_quote(&choices, value);
    }
    ws_text_add(&choices, "]");
    if (space->baseline)
        snprintf(baseline, sizeof baseline, "%u", space->baseline[n]);
    const enum ws_status status =
        choices.failed
            ? ws_sql_no_memory(results, error)
            : put_row(
                  results,
                  "INSERT INTO search_axis (search_id, position, parameter, choices, ordered, baseline) VALUES (?1, ?2, ?3, ?4, "
                  "CAST(?5 AS INTEGER), CAST(nullif(?6, '') AS INTEGER))",
                  search->id, n, (const char *[]){axis->key, choices.data, axis->ordered ? "1" : "0", baseline}, 4, error);
    ws_text_free(&choices);
    return status;
}

static enum ws_status put_definition(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    const struct ws_space *const space = search->space;
    WS_TRY(put_search(search, results, error));
    for (u32 n = 0; n < space->objective_count; n++) {
        const struct ws_space_objective *const objective = &space->objectives[n];
        WS_TRY(put_row(
            results, "INSERT INTO search_objective (search_id, position, objective, goal, expression) VALUES (?1, ?2, ?3, ?4, ?5)",
            search->id, n,
            (const char *[]){objective->name, objective->maximize ? "maximize" : "minimize", objective->expression.text}, 3,
            error));
    }
    for (u32 n = 0; n < space->limit_count; n++)
        WS_TRY(put_row(results, "INSERT INTO search_limit (search_id, position, limits) VALUES (?1, ?2, ?3)", search->id, n,
                       (const char *[]){space->limits[n].text}, 1, error));
    for (u32 n = 0; n < space->axis_count; n++)
        WS_TRY(put_axis(search, results, n, error));
    return WS_STATUS_ok;
}

static enum ws_status put_times(struct ws_search_state *search, struct ws_results *results, const char *ended,
                                struct ws_error *error)
{
    sqlite3_stmt *put;
    WS_TRY(ws_sql_prepare(results,
                          "UPDATE search SET budget_simulations = ?2, budget_seconds = ?3, ended = ?4, run_seconds = ?5, "
                          "run_choosing_seconds = ?6 WHERE search_id = ?1",
                          &put, error));
    sqlite3_bind_int64(put, 1, search->id);
    if (search->space->simulations > 0)
        sqlite3_bind_int64(put, 2, (sqlite3_int64)search->space->simulations);
    bind_optional(put, 3, 60 * search->space->minutes);
    ws_sql_bind_text(put, 4, ended);
    sqlite3_bind_double(put, 5, search->before + ws_seconds_now() - search->began);
    sqlite3_bind_double(put, 6, search->chosen + search->summary->choosing);
    const enum ws_status status = ws_sql_execute(results, put, error);
    sqlite3_finalize(put);
    return status;
}

enum ws_status ws_search_put_end(struct ws_search_state *search, const char *ended, struct ws_error *error)
{
    struct ws_results *const results = search->results;
    WS_TRY(ws_sql_begin(results, error));
    return ws_sql_end(results, put_times(search, results, ended, error), error);
}

/* ---- Loading ---- */

/* "[0,3,1]"; false if it is no choice of the space. */
static bool read_choice(const struct ws_space *space, const char *text, u32 *choice)
{
    for (u32 n = 0; n < space->axis_count; n++) {
        char *end;
        if (*text != (n == 0 ? '[' : ','))
            return false;
        choice[n] = (u32)strtoul(text + 1, &end, 10);
        if (end == text + 1 || choice[n] >= space->axes[n].count)
            return false;
        text = end;
    }
    return strcmp(text, "]") == 0;
}

static enum ws_status load_values(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    struct ws_search_points *const points = &search->points;
    sqlite3_stmt *rows;
    bool row = true;
    enum ws_status status = ws_sql_prepare(results,
                                           "SELECT ordinal, position, value FROM search_point JOIN search_value USING "
                                           "(search_point_id) JOIN search_objective USING (search_objective_id) WHERE "
                                           "search_point.search_id = ?1",
                                           &rows, error);
    sqlite3_bind_int64(rows, 1, search->id);
    while (status == WS_STATUS_ok && row) {
        status = ws_sql_step(results, rows, &row, error);
        if (status != WS_STATUS_ok || !row)
            break;
        const u32 ordinal = (u32)sqlite3_column_int64(rows, 0), position = (u32)sqlite3_column_int64(rows, 1);
        if (ordinal < points->count && position < search->space->objective_count && sqlite3_column_type(rows, 2) != SQLITE_NULL)
            points->objective[(size_t)ordinal * search->space->objective_count + position] = sqlite3_column_double(rows, 2);
    }
    sqlite3_finalize(rows);
    return status;
}

static enum ws_status load_rows(struct ws_search_state *search, struct ws_results *results, sqlite3_stmt *rows, u32 *choice,
                                struct ws_error *error)
{
    struct ws_search_points *const points = &search->points;
    for (;;) {
        bool row;
        WS_TRY(ws_sql_step(results, rows, &row, error));
        if (!row)
            return WS_STATUS_ok;
        if ((u32)sqlite3_column_int64(rows, 0) != points->count || !read_choice(search->space, ws_sql_text(rows, 3), choice))
            return ws_fail(error, WS_STATUS_bad_input, "%s: the points of search %s have been changed; name another results file",
                           results->path, search->name);
        WS_TRY(ws_search_add(search, choice, (u32)sqlite3_column_int64(rows, 2), (u32)sqlite3_column_int64(rows, 1), error));
        const u32 n = points->count - 1;
        points->done[n] = sqlite3_column_type(rows, 4) != SQLITE_NULL;
        points->answered += points->done[n];
        if (sqlite3_column_type(rows, 5) != SQLITE_NULL)
            points->excess[n] = sqlite3_column_double(rows, 5);
        if (sqlite3_column_int(rows, 6) > 0)
            search->front[search->front_count++] = n;
    }
}

static enum ws_status load_points(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    sqlite3_stmt *rows;
    u32 *const choice = calloc(search->space->axis_count, sizeof *choice);
    char question[120];
    sqlite3_int64 most;
    snprintf(question, sizeof question, "SELECT count(*) FROM search_point WHERE search_id = %lld", (long long)search->id);
    enum ws_status status = ws_sql_number(results, question, &most, error);
    free(search->front);
    search->front = calloc((size_t)most + 1, sizeof *search->front);
    search->front_count = 0;
    if (!choice || !search->front)
        status = ws_sql_no_memory(results, error);
    WS_THEN(status, ws_sql_prepare(results,
                                   "SELECT ordinal, generation, fidelity, choice, status, excess, on_front FROM search_point WHERE "
                                   "search_id = ?1 ORDER BY ordinal",
                                   &rows, error));
    if (status == WS_STATUS_ok) {
        sqlite3_bind_int64(rows, 1, search->id);
        status = load_rows(search, results, rows, choice, error);
        sqlite3_finalize(rows);
    }
    free(choice);
    WS_THEN(status, load_values(search, results, error));
    return status;
}

/* The newest run of the search, if it has this identity. */
static enum ws_status find_search(struct ws_search_state *search, struct ws_results *results, bool *known, struct ws_error *error)
{
    sqlite3_stmt *find;
    bool row;
    WS_TRY(
        ws_sql_prepare(results,
                       "SELECT search_id, identity, run_seconds, run_choosing_seconds FROM search WHERE search = ?1 ORDER BY run "
                       "DESC LIMIT 1",
                       &find, error));
    ws_sql_bind_text(find, 1, search->name);
    const enum ws_status status = ws_sql_step(results, find, &row, error);
    *known = status == WS_STATUS_ok && row && strcmp(ws_sql_text(find, 1), search->identity) == 0;
    if (*known) {
        search->id = sqlite3_column_int64(find, 0);
        search->before = sqlite3_column_double(find, 2);
        search->chosen = sqlite3_column_double(find, 3);
    }
    sqlite3_finalize(find);
    return status;
}

/* Another process may begin the same search. */
static enum ws_status begin_search(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    bool known;
    WS_TRY(ws_sql_begin(results, error));
    enum ws_status status = find_search(search, results, &known, error);
    if (status == WS_STATUS_ok && !known)
        status = put_definition(search, results, error);
    return ws_sql_end(results, status, error);
}

enum ws_status ws_search_load(struct ws_search_state *search, bool begin, struct ws_error *error)
{
    struct ws_results *const results = search->results;
    bool known;
    WS_TRY(find_search(search, results, &known, error));
    if (!known && begin)
        WS_TRY(begin_search(search, results, error));
    return known || begin ? load_points(search, results, error) : WS_STATUS_ok;
}

/* ---- Points ---- */

/* Fails where the file has other points or answers of the search than this process knows: a second process runs it. Inside the
 * transaction that adds to them. */
static enum ws_status check_alone(const struct ws_search_state *search, const char *what, u32 known, struct ws_error *error)
{
    char question[120];
    sqlite3_int64 found;
    snprintf(question, sizeof question, "SELECT count(%s) FROM search_point WHERE search_id = %lld", what, (long long)search->id);
    WS_TRY(ws_sql_number(search->results, question, &found, error));
    if (found == known)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_failed,
                   "%s: another process runs the search %s; wait for it to end, then the same command continues",
                   search->results->path, search->name);
}

static enum ws_status put_points(struct ws_search_state *search, struct ws_results *results, u32 first, const char *origin,
                                 struct ws_error *error)
{
    const struct ws_search_points *const points = &search->points;
    const u32 axes = search->space->axis_count;
    sqlite3_stmt *put;
    enum ws_status status = WS_STATUS_ok;
    WS_TRY(check_alone(search, "*", first, error));
    WS_TRY(ws_sql_prepare(results,
                          "INSERT INTO search_point (search_id, ordinal, generation, fidelity, choice, origin) VALUES (?1, ?2, ?3, "
                          "?4, ?5, ?6)",
                          &put, error));
    for (u32 n = first; n < points->count && status == WS_STATUS_ok; n++) {
        struct ws_text choice = {0};
        for (u32 axis = 0; axis < axes; axis++)
            ws_text_add(&choice, "%s%u", axis == 0 ? "[" : ",", points->choice[(size_t)n * axes + axis]);
        ws_text_add(&choice, "]");
        sqlite3_bind_int64(put, 1, search->id);
        sqlite3_bind_int64(put, 2, n);
        sqlite3_bind_int64(put, 3, points->generation[n]);
        sqlite3_bind_int64(put, 4, points->fidelity[n]);
        ws_sql_bind_text(put, 5, choice.data);
        ws_sql_bind_text(put, 6, origin);
        status = choice.failed ? ws_sql_no_memory(results, error) : ws_sql_execute(results, put, error);
        ws_text_free(&choice);
    }
    sqlite3_finalize(put);
    return status;
}

enum ws_status ws_search_put_proposals(struct ws_search_state *search, u32 first, const char *origin, struct ws_error *error)
{
    struct ws_results *const results = search->results;
    const double began = ws_seconds_now();
    WS_TRY(ws_sql_begin(results, error));
    const enum ws_status status = ws_sql_end(results, put_points(search, results, first, origin, error), error);
    search->summary->choosing += ws_seconds_now() - began;
    return status;
}

static enum ws_status put_answer(struct ws_search_state *search, struct ws_results *results, u32 n, sqlite3_stmt *point,
                                 sqlite3_stmt *value, struct ws_error *error)
{
    const struct ws_search_points *const points = &search->points;
    const u32 objectives = search->space->objective_count;
    const bool failed = isinf(points->excess[n]);
    sqlite3_bind_int64(point, 1, search->id);
    sqlite3_bind_int64(point, 2, n);
    ws_sql_bind_text(point, 3, ws_search_status(points->excess[n]));
    if (failed)
        sqlite3_bind_null(point, 4);
    else
        sqlite3_bind_double(point, 4, points->excess[n]);
    sqlite3_bind_int64(point, 5, (sqlite3_int64)search->space->experiment->trace_count);
    WS_TRY(ws_sql_execute(results, point, error));
    for (u32 objective = 0; objective < objectives; objective++) {
        const double number = points->objective[(size_t)n * objectives + objective];
        sqlite3_bind_int64(value, 1, search->id);
        sqlite3_bind_int64(value, 2, n);
        sqlite3_bind_int64(value, 3, objective);
        if (isnan(number))
            sqlite3_bind_null(value, 4);
        else
            sqlite3_bind_double(value, 4, number);
        WS_TRY(ws_sql_execute(results, value, error));
    }
    return WS_STATUS_ok;
}

/* Marks the front: 1, the knee 2, no longer 0. */
static enum ws_status put_front(struct ws_search_state *search, struct ws_results *results, struct ws_error *error)
{
    sqlite3_stmt *mark;
    char script[120];
    enum ws_status status = WS_STATUS_ok;
    snprintf(script, sizeof script, "UPDATE search_point SET on_front = 0 WHERE search_id = %lld AND on_front > 0",
             (long long)search->id);
    WS_TRY(ws_sql_run(results, script, "record the front", error));
    WS_TRY(ws_sql_prepare(results, "UPDATE search_point SET on_front = ?3 WHERE search_id = ?1 AND ordinal = ?2", &mark, error));
    for (u32 n = 0; n < search->front_count && status == WS_STATUS_ok; n++) {
        sqlite3_bind_int64(mark, 1, search->id);
        sqlite3_bind_int64(mark, 2, search->front[n]);
        sqlite3_bind_int64(mark, 3, search->front[n] == search->knee ? 2 : 1);
        status = ws_sql_execute(results, mark, error);
    }
    sqlite3_finalize(mark);
    return status;
}

static enum ws_status put_answers(struct ws_search_state *search, struct ws_results *results, const u32 *ordinals, u32 count,
                                  struct ws_error *error)
{
    sqlite3_stmt *point = NULL, *value = NULL;
    enum ws_status status = ws_sql_prepare(
        results, "UPDATE search_point SET status = ?3, excess = ?4, simulations = ?5 WHERE search_id = ?1 AND ordinal = ?2", &point,
        error);
    WS_THEN(status, ws_sql_prepare(results,
                                   "INSERT OR REPLACE INTO search_value (search_point_id, search_objective_id, value) VALUES "
                                   "((SELECT search_point_id FROM search_point WHERE search_id = ?1 AND ordinal = ?2), (SELECT "
                                   "search_objective_id FROM search_objective WHERE search_id = ?1 AND position = ?3), ?4)",
                                   &value, error));
    for (u32 n = 0; n < count && status == WS_STATUS_ok; n++)
        status = put_answer(search, results, ordinals[n], point, value, error);
    sqlite3_finalize(point);
    sqlite3_finalize(value);
    WS_THEN(status, check_alone(search, "*", search->points.count, error));
    WS_THEN(status, check_alone(search, "status", search->points.answered + count, error));
    WS_THEN(status, put_front(search, results, error));
    WS_THEN(status, put_times(search, results, NULL, error));
    return status;
}

enum ws_status ws_search_put_answers(struct ws_search_state *search, const u32 *ordinals, u32 count, struct ws_error *error)
{
    struct ws_results *const results = search->results;
    WS_TRY(ws_sql_begin(results, error));
    return ws_sql_end(results, put_answers(search, results, ordinals, count, error), error);
}
