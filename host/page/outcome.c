/* Loading the answers of an experiment. */
#include "page/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "search/front.h"
#include "warpsweep/machine.h"

/* What is being loaded, and where the rows of one query go. */
struct loading {
    struct ws_outcome *outcome;
    struct ws_results *results;
    const char *search_id, *fidelity;
    size_t room;        /* of the array that grows */
    const u32 **choice; /* [all], by position */
    const char **label;
    struct ws_text columns; /* of the machine, one for each axis, ", " between */
};

typedef enum ws_status row_function(void *context, const struct ws_results_row *row, struct ws_error *error);

static enum ws_status ask(struct loading *loading, const char *sql, row_function *take, struct ws_error *error)
{
    const char *const parameters[] = {loading->outcome->experiment, loading->search_id ? loading->search_id : "",
                                      loading->fidelity ? loading->fidelity : "", NULL};
    return ws_results_query(loading->results, sql, parameters, take, loading, error);
}

static const char *copy(struct loading *loading, const char *text)
{
    return text ? ws_arena_text(&loading->outcome->arena, text, strlen(text)) : NULL;
}

static u64 whole(const char *text)
{
    return text ? strtoull(text, NULL, 10) : 0;
}

static double real(const char *text)
{
    return text ? strtod(text, NULL) : NAN;
}

/* ---- The search, its objectives ---- */

static enum ws_status take_search(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    const char *const *const value = row->values;
    outcome->search = copy(loading, value[0]);
    outcome->method = copy(loading, value[1]);
    outcome->seed = whole(value[2]);
    outcome->ended = copy(loading, value[3]);
    outcome->budget = whole(value[4]);
    loading->search_id = copy(loading, value[5]);
    loading->fidelity = copy(loading, value[6]);
    outcome->spent = whole(value[7]);
    return outcome->search && outcome->method && loading->search_id && loading->fidelity ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status take_objective(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    outcome->objective =
        ws_arena_grow(&outcome->arena, outcome->objective, outcome->objectives, &loading->room, sizeof *outcome->objective);
    if (!outcome->objective)
        return ws_no_memory(error);
    struct ws_outcome_objective *const objective = &outcome->objective[outcome->objectives++];
    objective->name = copy(loading, row->values[0]);
    objective->expression = copy(loading, row->values[1]);
    objective->more = strcmp(row->values[2], "maximize") == 0;
    return objective->name && objective->expression ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status load_search(struct loading *loading, struct ws_error *error)
{
    WS_TRY(ask(loading,
               "SELECT search, method, seed, ended, budget_simulations, search_id, fidelity, (SELECT total(simulations) FROM "
               "search_point WHERE search_point.search_id = search.search_id) FROM search JOIN search_experiment USING (search_id) "
               "JOIN selected USING (experiment_id) WHERE selected.experiment = ?1 ORDER BY search.run DESC LIMIT 1",
               take_search, error));
    loading->room = 0;
    return ask(loading,
               loading->search_id
                   ? "SELECT objective, expression, goal FROM search_objective WHERE search_id = ?2 ORDER BY position"
                   : "SELECT 'ipc', 'geometric mean over the workloads', 'maximize'",
               take_objective, error);
}

struct list {
    struct ws_outcome *outcome;
    const char ***text;
    u32 *count;
    size_t room;
};

static enum ws_status take_text(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct list *const list = context;
    *list->text = ws_arena_grow(&list->outcome->arena, *list->text, *list->count, &list->room, sizeof **list->text);
    const char *const text = ws_arena_text(&list->outcome->arena, row->values[0], strlen(row->values[0]));
    if (!*list->text || !text)
        return ws_no_memory(error);
    (*list->text)[(*list->count)++] = text;
    return WS_STATUS_ok;
}

/* Appends the texts of the only column. */
static enum ws_status list(struct loading *loading, const char *sql, const char ***text, u32 *count, struct ws_error *error)
{
    const char *const parameters[] = {loading->outcome->experiment, loading->search_id, NULL};
    return ws_results_query(loading->results, sql, parameters, take_text,
                            &(struct list){.outcome = loading->outcome, .text = text, .count = count}, error);
}

/* Parameters whose 0 is unlimited and counts no bits in a row of storage.def, where the condition holds. */
static const struct {
    const char *key, *column, *part, *condition;
} unlimited[] = {
#define UNLIMITED(key, column, part, condition) {key, column, part, condition},
#include "search/drive/unlimited.def"
#undef UNLIMITED
};

static const char points_of[] =
    " FROM selected JOIN point USING (experiment_id) JOIN machine USING (machine_id) WHERE experiment = ?1";

static enum ws_status load_unlimited(struct loading *loading, struct ws_error *error)
{
    struct ws_text sql = {0};
    ws_text_add(&sql, "WITH formula AS (SELECT expression FROM search_objective WHERE search_id = ?2 UNION ALL SELECT limits FROM "
                      "search_limit WHERE search_id = ?2) SELECT key FROM (");
    for (size_t n = 0; n < sizeof unlimited / sizeof *unlimited; n++)
        ws_text_add(&sql, "%sSELECT '%s' AS key, '%s' AS part, total(%s = 0 AND %s) AS machines%s", n > 0 ? " UNION ALL " : "",
                    unlimited[n].key, unlimited[n].part, unlimited[n].column, unlimited[n].condition, points_of);
    ws_text_add(&sql, ") WHERE machines > 0 AND EXISTS (SELECT 1 FROM formula WHERE instr(expression, part) OR instr(expression, "
                      "'storage_bits'))");
    const enum ws_status status =
        sql.failed ? ws_no_memory(error)
                   : list(loading, sql.data, &loading->outcome->unlimited, &loading->outcome->unlimited_count, error);
    ws_text_free(&sql);
    return status;
}

static enum ws_status take_answer(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    loading->outcome->answer = copy(loading, row->values[0]);
    return loading->outcome->answer ? WS_STATUS_ok : ws_no_memory(error);
}

/* What the front rests on, and where the answer is. */
static enum ws_status load_conditions(struct loading *loading, struct ws_error *error)
{
    struct ws_outcome *const outcome = loading->outcome;
    if (!loading->search_id)
        return WS_STATUS_ok;
    WS_TRY(list(loading, "SELECT limits FROM search_limit WHERE search_id = ?2 ORDER BY position", &outcome->limit,
                &outcome->limits, error));
    WS_TRY(load_unlimited(loading, error));
    return ask(loading,
               "SELECT experiment FROM search JOIN search_experiment USING (search_id) JOIN experiment USING (experiment_id) WHERE "
               "search_id = ?2 AND fidelity + 1 = fidelities AND fidelity <> ?3 AND experiment <> ?1",
               take_answer, error);
}

/* ---- Axes: what varies over the points ---- */

/* "l1.size" as results files name it: l1_size. */
static void add_column(struct ws_text *text, const char *key)
{
    const size_t group = strcspn(key, ".");
    ws_text_add(text, "%.*s_%s", (int)group, key, key + group + 1);
}

/* Columns: for each parameter its number of values. */
static enum ws_status take_varying(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    size_t count, room = 0;
    const struct ws_parameter *const parameter = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        if (whole(row->values[n]) < 2)
            continue;
        outcome->axis = ws_arena_grow(&outcome->arena, outcome->axis, outcome->axes, &room, sizeof *outcome->axis);
        if (!outcome->axis)
            return ws_no_memory(error);
        outcome->axis[outcome->axes++] = (struct ws_outcome_axis){.key = parameter[n].key, .ordered = !parameter[n].set};
    }
    return WS_STATUS_ok;
}

static enum ws_status take_value(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    struct ws_outcome_axis *const axis = &outcome->axis[outcome->axes];
    axis->value = ws_arena_grow(&outcome->arena, axis->value, axis->values, &loading->room, sizeof *axis->value);
    if (!axis->value || !(axis->value[axis->values++] = copy(loading, row->values[0])))
        return ws_no_memory(error);
    return WS_STATUS_ok;
}

/* The values of the axis at index outcome->axes. */
static enum ws_status load_values(struct loading *loading, struct ws_error *error)
{
    struct ws_text sql = {0}, column = {0};
    add_column(&column, loading->outcome->axis[loading->outcome->axes].key);
    if (!column.failed)
        ws_text_add(&sql, "SELECT DISTINCT json_quote(%s)%s ORDER BY %s", column.data, points_of, column.data);
    loading->room = 0;
    const enum ws_status status = column.failed || sql.failed ? ws_no_memory(error) : ask(loading, sql.data, take_value, error);
    ws_text_free(&column);
    ws_text_free(&sql);
    return status;
}

static enum ws_status load_axes(struct loading *loading, struct ws_error *error)
{
    struct ws_outcome *const outcome = loading->outcome;
    struct ws_text sql = {0};
    size_t count;
    const struct ws_parameter *const parameter = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        ws_text_add(&sql, "%scount(DISTINCT ", n > 0 ? ", " : "SELECT ");
        add_column(&sql, parameter[n].key);
        ws_text_add(&sql, ")");
    }
    ws_text_add(&sql, "%s", points_of);
    enum ws_status status = sql.failed ? ws_no_memory(error) : ask(loading, sql.data, take_varying, error);
    ws_text_free(&sql);
    const u32 axes = outcome->axes;
    for (outcome->axes = 0; status == WS_STATUS_ok && outcome->axes < axes; outcome->axes++)
        status = load_values(loading, error);
    outcome->axes = axes;
    return status;
}

/* ---- Points ---- */

/* Columns: label, baseline, choices. */
static enum ws_status take_choice(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    u32 *const choice = ws_arena_array(&outcome->arena, outcome->axes + 1, sizeof *choice);
    size_t room = loading->room;
    loading->choice = ws_arena_grow(&outcome->arena, loading->choice, outcome->all, &room, sizeof *loading->choice);
    loading->label = ws_arena_grow(&outcome->arena, loading->label, outcome->all, &loading->room, sizeof *loading->label);
    const char *const label = copy(loading, row->values[0]);
    if (!choice || !loading->choice || !loading->label || !label)
        return ws_no_memory(error);
    for (u32 n = 0; n < outcome->axes; n++)
        choice[n] = (u32)whole(row->values[2 + n]);
    loading->label[outcome->all] = label;
    loading->choice[outcome->all++] = choice;
    if (row->values[1] && !outcome->baseline && !(outcome->baseline = copy(loading, row->values[1])))
        return ws_no_memory(error);
    return WS_STATUS_ok;
}

static enum ws_status load_choices(struct loading *loading, struct ws_error *error)
{
    struct ws_outcome *const outcome = loading->outcome;
    struct ws_text sql = {0};
    ws_text_add(&sql, "SELECT point, baseline");
    for (u32 n = 0; n < outcome->axes; n++) {
        ws_text_add(&sql, ", dense_rank() OVER (ORDER BY ");
        add_column(&sql, outcome->axis[n].key);
        ws_text_add(&sql, ") - 1");
    }
    ws_text_add(&sql, "%s ORDER BY position", points_of);
    loading->room = 0;
    const enum ws_status status = sql.failed ? ws_no_memory(error) : ask(loading, sql.data, take_choice, error);
    ws_text_free(&sql);
    for (u32 n = 0; status == WS_STATUS_ok && outcome->baseline && n < outcome->all; n++)
        if (strcmp(loading->label[n], outcome->baseline) == 0)
            outcome->reference = loading->choice[n];
    return status;
}

/* Columns: position, excess, simulations, position of the objective, value. The values of a point follow each other. */
static enum ws_status take_result(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    struct ws_outcome *const outcome = loading->outcome;
    const u64 position = whole(row->values[0]), objective = whole(row->values[3]);
    if (position >= outcome->all || objective >= outcome->objectives || !row->values[4])
        return WS_STATUS_ok;
    struct ws_outcome_point *point = outcome->points > 0 ? &outcome->point[outcome->points - 1] : NULL;
    if (!point || point->position != position) {
        double *const value = ws_arena_array(&outcome->arena, outcome->objectives, sizeof *value);
        outcome->point = ws_arena_grow(&outcome->arena, outcome->point, outcome->points, &loading->room, sizeof *outcome->point);
        if (!value || !outcome->point)
            return ws_no_memory(error);
        for (u32 n = 0; n < outcome->objectives; n++)
            value[n] = NAN;
        point = &outcome->point[outcome->points++];
        *point = (struct ws_outcome_point){.position = (u32)position,
                                           .label = loading->label[position],
                                           .choice = loading->choice[position],
                                           .value = value,
                                           .excess = row->values[1] ? real(row->values[1]) : 0,
                                           .simulations = (u64)real(row->values[2])};
    }
    point->value[objective] = real(row->values[4]);
    return WS_STATUS_ok;
}

/* Points that have run on every workload that any point has run on. */
static const char sweep_results[] =
    "WITH mean AS (SELECT point_position, geometric_mean(ipc) AS value, count(ipc) AS traces FROM kernel WHERE experiment = ?1 AND "
    "ipc > 0 GROUP BY point_position) SELECT place, 0, 0, 0, value FROM mean JOIN " WS_PLACES
    " USING (point_position) WHERE traces = "
    "(SELECT max(traces) FROM mean) ORDER BY place";

static const char search_results[] =
    "SELECT place, excess, spent, search_objective.position, value FROM (SELECT *, sum(coalesce(simulations, 0)) OVER "
    "(ORDER BY ordinal) AS spent FROM search_point WHERE search_id = ?2) AS tried JOIN (SELECT point_id, row_number() OVER (ORDER "
    "BY "
    "position) - 1 AS place FROM point WHERE experiment_id = (SELECT experiment_id FROM search_experiment WHERE search_id = ?2 AND "
    "fidelity = ?3)) USING (point_id) JOIN search_value USING (search_point_id) JOIN search_objective USING (search_objective_id) "
    "WHERE fidelity = ?3 AND status IN ('ok', 'over') ORDER BY ordinal, search_objective.position";

static enum ws_status take_traces(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct loading *const loading = context;
    (void)error;
    loading->outcome->traces = (u32)whole(row->values[0]);
    return WS_STATUS_ok;
}

/* Keeps the points that have a value of every objective. */
static void drop_incomplete(struct ws_outcome *outcome)
{
    u32 kept = 0;
    for (u32 n = 0; n < outcome->points; n++) {
        bool complete = true;
        for (u32 m = 0; m < outcome->objectives; m++)
            complete = complete && isfinite(outcome->point[n].value[m]);
        if (complete)
            outcome->point[kept++] = outcome->point[n];
    }
    outcome->points = kept;
}

static enum ws_status load_results(struct loading *loading, struct ws_error *error)
{
    struct ws_outcome *const outcome = loading->outcome;
    loading->room = 0;
    WS_TRY(ask(loading, outcome->search ? search_results : sweep_results, take_result, error));
    WS_TRY(ask(loading, "SELECT count(DISTINCT trace) FROM kernel WHERE experiment = ?1", take_traces, error));
    drop_incomplete(outcome);
    outcome->base = UINT32_MAX;
    for (u32 n = 0; n < outcome->points; n++)
        if (outcome->baseline && strcmp(outcome->point[n].label, outcome->baseline) == 0)
            outcome->base = n;
    return WS_STATUS_ok;
}

/* ---- The front ---- */

static enum ws_status find_front(struct ws_outcome *outcome, struct ws_error *error)
{
    outcome->minimized = ws_arena_array(&outcome->arena, (size_t)outcome->points * outcome->objectives + 1, sizeof(double));
    outcome->excess = ws_arena_array(&outcome->arena, (size_t)outcome->points + 1, sizeof(double));
    outcome->front = ws_arena_array(&outcome->arena, (size_t)outcome->points + 1, sizeof(u32));
    outcome->knee = UINT32_MAX;
    if (!outcome->minimized || !outcome->excess || !outcome->front)
        return ws_no_memory(error);
    for (u32 n = 0; n < outcome->points; n++) {
        outcome->excess[n] = outcome->point[n].excess;
        outcome->beyond += outcome->point[n].excess > 0;
        for (u32 m = 0; m < outcome->objectives; m++)
            outcome->minimized[n * outcome->objectives + m] =
                outcome->objective[m].more ? -outcome->point[n].value[m] : outcome->point[n].value[m];
    }
    const struct ws_front_points points = {outcome->minimized, outcome->excess, outcome->points, outcome->objectives};
    WS_TRY(ws_front_pareto(&points, outcome->front, &outcome->members, error));
    return ws_front_knee(&points, outcome->front, outcome->members, &outcome->knee, error);
}

enum ws_status ws_outcome_load(struct ws_results *results, const char *experiment, struct ws_outcome *outcome,
                               struct ws_error *error)
{
    struct loading loading = {.outcome = outcome, .results = results};
    *outcome = (struct ws_outcome){.experiment = experiment};
    WS_TRY(load_search(&loading, error));
    WS_TRY(load_conditions(&loading, error));
    WS_TRY(load_axes(&loading, error));
    WS_TRY(load_choices(&loading, error));
    WS_TRY(load_results(&loading, error));
    return find_front(outcome, error);
}

void ws_outcome_free(struct ws_outcome *outcome)
{
    ws_arena_free(&outcome->arena);
}
