/* Answers of a report's page: what explains the objectives, and the course of a search. */
#include <inttypes.h>

#include "base/error.h"
#include "page/outcome.h"
#include "page/page.h"

static void add_estimate(struct ws_text *text, const struct ws_estimate *estimate)
{
    ws_text_add(text, "%.6g, %.6g, %.6g]", estimate->value, estimate->low, estimate->high);
}

static void add_axes(struct ws_json *json, const struct ws_outcome *outcome)
{
    ws_json_array(json, "axes");
    for (u32 n = 0; n < outcome->axes; n++) {
        ws_json_object(json, NULL);
        ws_json_text(json, "key", outcome->axis[n].key);
        ws_json_array(json, "levels");
        for (u32 m = 0; m < outcome->axis[n].values; m++)
            ws_json_raw(json, NULL, outcome->axis[n].value[m]);
        ws_json_end_array(json);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

/* main: [value, low, high] by axis; pair: [axis, axis, value, low, high]; level: means by axis and value. */
static void add_shares(struct ws_json *json, const struct ws_outcome *outcome, const struct ws_effects *effects)
{
    struct ws_text main = {0}, pair = {0}, level = {0};
    for (u32 a = 0; a < outcome->axes; a++) {
        ws_text_add(&main, a > 0 ? ", [" : "[[");
        add_estimate(&main, &effects->main[a]);
        for (u32 b = a + 1; b < outcome->axes; b++) {
            ws_text_add(&pair, "%s%" PRIu32 ", %" PRIu32 ", ", a == 0 && b == 1 ? "[[" : ", [", a, b);
            add_estimate(&pair, &effects->pair[ws_effects_pair(outcome->axes, a, b)]);
        }
        ws_text_add(&level, a > 0 ? ", [" : "[[");
        for (u32 n = 0; n < outcome->axis[a].values; n++) {
            ws_text_add(&level, n > 0 ? ", [" : "[");
            add_estimate(&level, &effects->level[a][n]);
        }
        ws_text_add(&level, "]");
    }
    ws_text_add(&main, "]");
    ws_text_add(&level, "]");
    ws_text_add(&pair, outcome->axes > 1 ? "]" : "[]");
    json->text->failed = json->text->failed || main.failed || pair.failed || level.failed;
    if (!json->text->failed) {
        ws_json_raw(json, "main", main.data);
        ws_json_raw(json, "pair", pair.data);
        ws_json_raw(json, "level", level.data);
    }
    ws_text_free(&main);
    ws_text_free(&pair);
    ws_text_free(&level);
}

static enum ws_status add_effects(struct ws_json *json, const struct ws_outcome *outcome, u32 objective, struct ws_error *error)
{
    struct ws_effects effects;
    const enum ws_status status = ws_outcome_effects(outcome, objective, &effects, error);
    if (status == WS_STATUS_ok) {
        ws_json_object(json, NULL);
        ws_json_text(json, "response", outcome->objective[objective].name);
        ws_json_unsigned(json, "points", effects.check.points);
        ws_json_unsigned(json, "resamples", WS_OUTCOME_RESAMPLES);
        ws_json_unsigned(json, "seed", WS_OUTCOME_SEED);
        add_axes(json, outcome);
        add_shares(json, outcome, &effects);
        ws_json_object(json, "check");
        ws_json_unsigned(json, "points", effects.check.points);
        ws_json_real(json, "r2", effects.check.r2);
        ws_json_real(json, "rank", effects.check.rank);
        ws_json_end_object(json);
        ws_json_end_object(json);
    }
    ws_effects_free(&effects);
    return status;
}

/* ---- The search ---- */

static void add_objectives(struct ws_json *json, const struct ws_outcome *outcome)
{
    ws_json_array(json, "objectives");
    for (u32 n = 0; n < outcome->objectives; n++) {
        ws_json_object(json, NULL);
        ws_json_text(json, "name", outcome->objective[n].name);
        ws_json_text(json, "expression", outcome->objective[n].expression);
        ws_json_bool(json, "more", outcome->objective[n].more);
        ws_json_end_object(json);
    }
    ws_json_end_array(json);
}

/* Rows of position, excess, values. */
static void add_points(struct ws_json *json, const struct ws_outcome *outcome)
{
    ws_json_array(json, "points");
    for (u32 n = 0; n < outcome->points; n++) {
        const struct ws_outcome_point *const point = &outcome->point[n];
        struct ws_text row = {0};
        ws_text_add(&row, "[%" PRIu32 ", %.6g", point->position, point->excess);
        for (u32 m = 0; m < outcome->objectives; m++)
            ws_text_add(&row, ", %.17g", point->value[m]);
        ws_text_add(&row, "]");
        json->text->failed = json->text->failed || row.failed;
        ws_json_raw(json, NULL, row.failed ? "null" : row.data);
        ws_text_free(&row);
    }
    ws_json_end_array(json);
}

static void add_texts(struct ws_json *json, const char *key, const char *const *text, u32 count)
{
    ws_json_array(json, key);
    for (u32 n = 0; n < count; n++)
        ws_json_text(json, NULL, text[n]);
    ws_json_end_array(json);
}

/* Positions of the points on the front of all objectives. */
static void add_front(struct ws_json *json, const struct ws_outcome *outcome)
{
    ws_json_array(json, "front");
    for (u32 n = 0; n < outcome->members; n++)
        ws_json_unsigned(json, NULL, outcome->point[outcome->front[n]].position);
    ws_json_end_array(json);
}

/* Rows of simulations, share of the final hypervolume, best values. */
static enum ws_status add_steps(struct ws_json *json, struct ws_outcome *outcome, struct ws_error *error)
{
    struct ws_outcome_step *steps;
    u32 count;
    WS_TRY(ws_outcome_steps(outcome, &steps, &count, error));
    ws_json_array(json, "steps");
    for (u32 n = 0; n < count; n++) {
        struct ws_text row = {0};
        ws_text_add(&row, "[%" PRIu64 ", %.6g", steps[n].simulations, steps[n].share);
        for (u32 m = 0; m < outcome->objectives; m++)
            ws_text_add(&row, ", %.17g", steps[n].best[m]);
        ws_text_add(&row, "]");
        json->text->failed = json->text->failed || row.failed;
        ws_json_raw(json, NULL, row.failed ? "null" : row.data);
        ws_text_free(&row);
    }
    ws_json_end_array(json);
    return WS_STATUS_ok;
}

static enum ws_status add_search(struct ws_json *json, struct ws_outcome *outcome, struct ws_error *error)
{
    ws_json_object(json, "search");
    ws_json_text(json, "name", outcome->search);
    ws_json_text(json, "method", outcome->method);
    ws_json_unsigned(json, "seed", outcome->seed);
    if (outcome->budget)
        ws_json_unsigned(json, "budget", outcome->budget);
    ws_json_unsigned(json, "spent", outcome->spent);
    if (outcome->ended)
        ws_json_text(json, "ended", outcome->ended);
    add_objectives(json, outcome);
    add_points(json, outcome);
    add_front(json, outcome);
    add_texts(json, "limits", outcome->limit, outcome->limits);
    add_texts(json, "unlimited", outcome->unlimited, outcome->unlimited_count);
    if (outcome->knee != UINT32_MAX)
        ws_json_unsigned(json, "knee", outcome->point[outcome->knee].position);
    if (outcome->answer)
        ws_json_text(json, "answer", outcome->answer);
    WS_TRY(add_steps(json, outcome, error));
    ws_json_end_object(json);
    return WS_STATUS_ok;
}

static enum ws_status add_answers(struct ws_json *json, struct ws_outcome *outcome, struct ws_error *error)
{
    ws_json_array(json, "effects");
    for (u32 n = 0; ws_outcome_has_effects(outcome) && n < outcome->objectives; n++)
        WS_TRY(add_effects(json, outcome, n, error));
    ws_json_end_array(json);
    return outcome->search ? add_search(json, outcome, error) : WS_STATUS_ok;
}

enum ws_status ws_page_answers(struct ws_page *page, struct ws_error *error)
{
    struct ws_outcome outcome;
    enum ws_status status = ws_outcome_load(page->results, page->experiment, &outcome, error);
    WS_THEN(status, add_answers(&page->json, &outcome, error));
    ws_outcome_free(&outcome);
    return status;
}
