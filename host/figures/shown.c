#include "figures/shown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const char *const kinds[] = {
#define CHART(name, words, needed, doc) [WS_CHART_##name] = (words),
#include "figures/charts/charts.def"
#undef CHART
    NULL};

static const char *const needs[] = {
#define CHART(name, words, needed, doc) [WS_CHART_##name] = (needed),
#include "figures/charts/charts.def"
#undef CHART
};

/* State while a figure's queries are answered. */
struct asking {
    struct ws_results *results;
    const struct ws_paper_figure *figure;
    struct ws_values values;
};

/* A query of the program itself, in the form of one in a file. */
static struct ws_yaml own_query(const char *sql)
{
    return (struct ws_yaml){
        .kind = WS_YAML_SCALAR, .file = (char *)(uintptr_t) "the program's own query", .text = (char *)(uintptr_t)sql};
}

/* A text of the figure's file, or the first cell of a query's answer: "Title", {query: SELECT ...}. */
static enum ws_status say(const struct asking *asking, const struct ws_yaml *node, struct ws_text *text, struct ws_error *error)
{
    static const char *const keys[] = {"query", NULL};
    const struct ws_yaml *query;
    struct ws_answer answer;
    if (!node || node->kind == WS_YAML_SCALAR) {
        ws_text_add(text, "%s", node ? node->text : "");
        return text->failed ? ws_no_memory(error) : WS_STATUS_ok;
    }
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "query", &query, error));
    WS_TRY(ws_answer_ask(asking->results, query, &asking->values, &answer, error));
    ws_text_add(text, "%s", answer.rows > 0 ? ws_answer_text(&answer, 0, 0) : "");
    ws_answer_free(&answer);
    return text->failed ? ws_no_memory(error) : WS_STATUS_ok;
}

/* ---- The table ---- */

static enum ws_status make_table(const struct asking *asking, struct ws_shown *shown, struct ws_error *error)
{
    static const char *const keys[] = {"heading", "query", NULL};
    const struct ws_yaml *const table = ws_paper_get(asking->figure, "table"), *query;
    WS_TRY(ws_yaml_expect_keys(table, keys, error));
    WS_TRY(ws_yaml_need(table, "query", &query, error));
    WS_TRY(say(asking, ws_yaml_get(table, "heading"), &shown->heading, error));
    WS_TRY(ws_answer_ask(asking->results, query, &asking->values, &shown->rows, error));
    return ws_table_make(&shown->rows, shown->heading.data ? shown->heading.data : "", &shown->table, error);
}

/* ---- Charts ---- */

static enum ws_status read_real(const struct ws_yaml *chart, const char *key, double *value, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(chart, key);
    return node ? ws_yaml_real(node, value, error) : WS_STATUS_ok;
}

static enum ws_status read_bool(const struct ws_yaml *chart, const char *key, bool *value, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(chart, key);
    return node ? ws_yaml_bool(node, value, error) : WS_STATUS_ok;
}

static enum ws_status read_text(const struct ws_yaml *chart, const char *key, const char **text, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(chart, key);
    *text = "";
    return node ? ws_yaml_text(node, text, error) : WS_STATUS_ok;
}

static enum ws_status read_range(const struct ws_yaml *node, struct ws_chart *chart, struct ws_error *error)
{
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SEQUENCE, error));
    if (node->count != 2)
        return ws_yaml_fail(node, error, "found %zu numbers, allowed are two: the least and the most", node->count);
    WS_TRY(ws_yaml_real(node->first, &chart->low, error));
    return ws_yaml_real(node->first->next, &chart->high, error);
}

static enum ws_status read_colours(const struct ws_yaml *node, struct ws_chart *chart, struct ws_error *error)
{
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(node, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *item = node->first; item; item = item->next) {
        const char *text;
        WS_TRY(ws_yaml_text(item, &text, error));
        if (strlen(text) != 7 || text[0] != '#' || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
            return ws_yaml_fail(item, error, "found '%s', allowed is a colour like \"#2171b5\"", text);
        if (chart->colours == WS_COLOURS_MOST)
            return ws_yaml_fail(item, error, "found more than %d colours, allowed are at most as many", WS_COLOURS_MOST);
        chart->colour[chart->colours++] = text;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_look(const struct ws_yaml *node, struct ws_chart *chart, struct ws_error *error)
{
    static const char *const places[] = {"across", "beside", NULL};
    const struct ws_yaml *const numbers = ws_yaml_get(node, "numbers"), *const paper = ws_yaml_get(node, "paper");
    uint64_t digits = 0;
    size_t place = 0;
    WS_TRY(read_text(node, "x", &chart->x, error));
    WS_TRY(read_text(node, "y", &chart->y, error));
    WS_TRY(read_real(node, "share", &chart->share, error));
    WS_TRY(read_real(node, "from", &chart->from, error));
    WS_TRY(read_range(ws_yaml_get(node, "range"), chart, error));
    WS_TRY(read_colours(ws_yaml_get(node, "colours"), chart, error));
    WS_TRY(read_bool(node, "sign", &chart->sign, error));
    WS_TRY(read_bool(node, "reverse", &chart->reverse, error));
    WS_TRY(read_bool(node, "upright", &chart->upright, error));
    WS_TRY(read_bool(node, "each", &chart->each, error));
    if (numbers)
        WS_TRY(ws_yaml_unsigned(numbers, 0, 6, &digits, error));
    chart->numbers = numbers ? (unsigned)digits + 1 : 0;
    if (paper)
        WS_TRY(ws_yaml_choice(paper, places, &place, error));
    chart->beside = place == 1;
    if (chart->share <= 0)
        return ws_yaml_fail(ws_yaml_get(node, "share"), error, "found %g, allowed is more than 0", chart->share);
    return WS_STATUS_ok;
}

/* Refuses an answer that lacks the kind's columns, or has no numeric values. */
static enum ws_status check_columns(const struct ws_chart *chart, struct ws_error *error)
{
    for (const char *need = needs[chart->kind]; *need; need += strcspn(need, " "), need += *need == ' ') {
        char name[32];
        size_t column;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(need, " "), need);
        WS_TRY(ws_answer_need(&chart->answer, name, kinds[chart->kind], &column, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status make_chart(const struct asking *asking, const struct ws_yaml *node, struct ws_chart *chart,
                                 struct ws_text *title, struct ws_error *error)
{
    static const char *const keys[] = {"kind",    "title", "query",   "x",    "y",       "share",   "from", "range",
                                       "colours", "paper", "numbers", "sign", "reverse", "upright", "each", NULL};
    const struct ws_yaml *kind, *query;
    size_t choice;
    *chart = (struct ws_chart){.share = 1, .low = (double)NAN, .high = (double)NAN, .x = "", .y = ""};
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "kind", &kind, error));
    WS_TRY(ws_yaml_choice(kind, kinds, &choice, error));
    chart->kind = (enum ws_chart_kind)choice;
    if (chart->kind == WS_CHART_table)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_need(node, "query", &query, error));
    WS_TRY(read_look(node, chart, error));
    WS_TRY(say(asking, ws_yaml_get(node, "title"), title, error));
    chart->title = title->data;
    WS_TRY(ws_answer_ask(asking->results, query, &asking->values, &chart->answer, error));
    return check_columns(chart, error);
}

static enum ws_status make_charts(const struct asking *asking, struct ws_shown *shown, struct ws_error *error)
{
    const struct ws_yaml *const charts = ws_paper_get(asking->figure, "charts");
    if (!charts)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(charts, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *node = charts->first; node; node = node->next) {
        if (shown->charts == WS_CHARTS_MOST)
            return ws_yaml_fail(node, error, "found more than %d charts, allowed are at most as many", WS_CHARTS_MOST);
        const size_t n = shown->charts++;
        WS_TRY(make_chart(asking, node, &shown->chart[n], &shown->titles[n], error));
    }
    return WS_STATUS_ok;
}

/* ---- Targets ---- */

/* A row of targets.csv, whose columns are names for queries. */
struct target {
    const struct ws_shown *shown;
    size_t row;
};

static const char *target_value(const void *context, const char *name)
{
    const struct target *const target = context;
    const struct ws_answer *const targets = &target->shown->targets;
    const size_t column = ws_answer_find(targets, name);
    return column < targets->columns ? ws_answer_text(targets, target->row, column) : ws_paper_value(target->shown->figure, name);
}

static enum ws_status read_quantity(const struct ws_yaml *node, struct ws_comparison *row, const struct ws_yaml **query,
                                    struct ws_error *error)
{
    static const char *const keys[] = {"about", "digits", "sign", "query", NULL};
    const struct ws_yaml *const digits = ws_yaml_get(node, "digits");
    uint64_t value = 0;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "query", query, error));
    WS_TRY(read_bool(node, "sign", &row->sign, error));
    if (digits)
        WS_TRY(ws_yaml_unsigned(digits, 0, 6, &value, error));
    row->digits = (int)value;
    return WS_STATUS_ok;
}

/* The optional column matched: yes, or nothing. */
static enum ws_status read_matched(const struct ws_answer *targets, size_t n, bool *matched, struct ws_error *error)
{
    const size_t column = ws_answer_find(targets, "matched");
    const char *const word = column < targets->columns ? ws_answer_text(targets, n, column) : "";
    *matched = !strcmp(word, "yes");
    if (*matched || !*word)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_usage, "targets.csv: found '%s' in the column 'matched', allowed are 'yes' and nothing", word);
}

static enum ws_status compare(const struct asking *asking, struct ws_shown *shown, size_t n, struct ws_error *error)
{
    const struct ws_answer *const targets = &shown->targets;
    struct ws_comparison *const row = &shown->comparison[n];
    const struct target target = {shown, n};
    const struct ws_values values = {.find = target_value, .context = &target};
    const struct ws_yaml *const quantities = ws_yaml_get(shown->figure->paper->root, "quantities"), *quantity, *query;
    struct ws_answer answer;
    const struct {
        const char *name, **text;
    } texts[] = {{"section", &row->where},
                 {"metric", &row->metric},
                 {"configuration", &row->configuration},
                 {"versus", &row->versus},
                 {"unit", &row->unit}};
    size_t column;
    row->simulated = (double)NAN;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        WS_TRY(ws_answer_need(targets, texts[t].name, "targets.csv", &column, error));
        *texts[t].text = ws_answer_text(targets, n, column);
    }
    WS_TRY(ws_answer_need(targets, "paper", "targets.csv", &column, error));
    row->paper = ws_answer_number(targets, n, column);
    WS_TRY(read_matched(targets, n, &row->matched, error));
    WS_TRY(ws_answer_need(targets, "quantity", "targets.csv", &column, error));
    if (!quantities)
        return ws_yaml_fail(shown->figure->paper->root, error,
                            "the key 'quantities' is missing, which gives each quantity of targets.csv a query");
    WS_TRY(ws_yaml_need(quantities, ws_answer_text(targets, n, column), &quantity, error));
    WS_TRY(read_quantity(quantity, row, &query, error));
    WS_TRY(ws_answer_ask(asking->results, query, &values, &answer, error));
    if (answer.rows > 0 && answer.columns > 0)
        row->simulated = ws_answer_number(&answer, 0, 0);
    ws_answer_free(&answer);
    return WS_STATUS_ok;
}

static enum ws_status make_comparisons(const struct asking *asking, struct ws_shown *shown, struct ws_error *error)
{
    const struct ws_yaml there = own_query("SELECT 1 FROM pragma_table_info('targets') LIMIT 1");
    const struct ws_yaml query = own_query("SELECT * FROM targets WHERE figure = :figure ORDER BY rowid");
    if (!asking->figure->paper)
        return WS_STATUS_ok;
    WS_TRY(ws_answer_ask(asking->results, &there, NULL, &shown->targets, error));
    const bool has = shown->targets.rows > 0;
    ws_answer_free(&shown->targets);
    if (!has)
        return WS_STATUS_ok;
    WS_TRY(ws_answer_ask(asking->results, &query, &asking->values, &shown->targets, error));
    shown->targets.query = asking->figure->paper->root;
    shown->comparison = calloc(shown->targets.rows + 1, sizeof *shown->comparison);
    if (!shown->comparison)
        return ws_no_memory(error);
    for (; shown->comparisons < shown->targets.rows; shown->comparisons++)
        WS_TRY(compare(asking, shown, shown->comparisons, error));
    return WS_STATUS_ok;
}

/* ---- Workloads and sizes behind the means ---- */

static enum ws_status describe(const struct asking *asking, const char *size, struct ws_shown *shown, struct ws_error *error)
{
    const struct ws_yaml over = own_query(
        "SELECT iif(whole < n, whole || ' of ', '') || n || ' workload' || iif(n = 1, '', 's'), (SELECT count(DISTINCT trace) > "
        "count(DISTINCT position) FROM experiment_trace JOIN selected USING (experiment_id)), several FROM (SELECT count(DISTINCT "
        "trace_position) AS n, count(DISTINCT iif(whole, trace_position, NULL)) AS whole, max(workload <> without_size(workload)) "
        "AS several FROM measure)");
    const struct ws_yaml device =
        own_query("SELECT run_engine || ': ' || run_device FROM result ORDER BY run_finished DESC LIMIT 1");
    const char *const papers = ws_paper_text(asking->figure, "over");
    struct ws_answer answer;
    WS_TRY(ws_answer_ask(asking->results, &over, NULL, &answer, error));
    ws_text_add(&shown->over, "Simulated: %s", ws_answer_text(&answer, 0, 0));
    if (ws_answer_number(&answer, 0, 1) > 0)
        ws_text_add(&shown->over, ", sizes of the variations");
    else if (ws_answer_number(&answer, 0, 2) > 0)
        ws_text_add(&shown->over, ", in their sizes");
    else if (size)
        ws_text_add(&shown->over, ", size %s", size);
    ws_text_add(&shown->over, *papers ? ". Paper: %s." : ".", papers);
    ws_answer_free(&answer);
    WS_TRY(ws_answer_ask(asking->results, &device, NULL, &answer, error));
    ws_text_add(&shown->device, "%s", answer.rows > 0 ? ws_answer_text(&answer, 0, 0) : "");
    ws_answer_free(&answer);
    return shown->over.failed || shown->device.failed ? ws_no_memory(error) : WS_STATUS_ok;
}

/* ---- All of it ---- */

static enum ws_status make(const struct asking *asking, const char *size, struct ws_shown *shown, struct ws_error *error)
{
    WS_TRY(make_table(asking, shown, error));
    WS_TRY(make_charts(asking, shown, error));
    WS_TRY(make_comparisons(asking, shown, error));
    return describe(asking, size, shown, error);
}

enum ws_status ws_shown_make(struct ws_results *results, const struct ws_paper_figure *figure, const char *experiment,
                             const char *size, ws_prepare_function *prepare, void *context, struct ws_shown *shown,
                             struct ws_error *error)
{
    const struct asking asking = {results, figure, {.find = ws_paper_value, .context = figure}};
    *shown = (struct ws_shown){.figure = figure};
    if (prepare)
        WS_TRY(prepare(context, figure, results, error));
    WS_TRY(ws_paper_derive(figure->paper, experiment, results, error));
    const enum ws_status status = make(&asking, size, shown, error);
    if (status != WS_STATUS_ok)
        ws_shown_free(shown);
    return status;
}

void ws_shown_free(struct ws_shown *shown)
{
    for (size_t n = 0; n < shown->charts; n++) {
        ws_answer_free(&shown->chart[n].answer);
        ws_text_free(&shown->titles[n]);
    }
    ws_table_free(&shown->table);
    ws_answer_free(&shown->rows);
    ws_answer_free(&shown->targets);
    ws_text_free(&shown->heading);
    ws_text_free(&shown->over);
    ws_text_free(&shown->device);
    free(shown->comparison);
    *shown = (struct ws_shown){0};
}

bool ws_shown_draws(const struct ws_shown *shown)
{
    for (size_t n = 0; n < shown->charts; n++)
        if (shown->chart[n].kind != WS_CHART_table)
            return true;
    return false;
}
