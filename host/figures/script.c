/* The gnuplot script of a figure: layout of charts, and surrounding text. */
#include <math.h>

#include "base/error.h"
#include "figures/shown.h"

enum { LINES = 5, MOST = 2 * LINES }; /* comparisons in each of two columns; in both, which is all that fits */
enum { PANELS_MOST = 4 };             /* of a chart */

/* ---- Words ---- */

static void add_line(struct ws_text *text, double x, double y, const char *font, const char *words)
{
    ws_text_add(text, "set label ");
    ws_put_string(text, words, " ");
    ws_text_add(text, " at screen %.2f, %.3f left font \"%s\" front\n", x, y, font);
}

static void add_comparison(struct ws_text *words, const struct ws_comparison *row)
{
    ws_text_add(words, "\xC2\xA7 %s  %s, %s%s%s: paper ", row->where, row->metric, row->configuration, *row->versus ? " over " : "",
                row->versus);
    ws_comparison_value(words, row, row->paper);
    if (!isfinite(row->simulated)) {
        ws_text_add(words, " %s, simulated missing", row->unit);
        return;
    }
    ws_text_add(words, " %s, simulated ", row->unit);
    ws_comparison_value(words, row, row->simulated);
    ws_text_add(words, " %s (", row->unit);
    ws_comparison_difference(words, row);
    ws_text_add(words, "%s)", row->matched ? ", matched" : "");
}

static void add_labels(struct ws_text *text, const struct ws_shown *shown)
{
    const char *const source = ws_paper_text(shown->figure, "source");
    struct ws_text words = {0};
    add_line(text, 0.02, 0.95, WS_FONT " Bold,16", ws_paper_text(shown->figure, "title"));
    ws_text_add(&words, "%s%s%s", source, *source ? ". " : "", shown->over.data);
    add_line(text, 0.02, 0.895, WS_FONT ",11", words.failed ? "" : words.data);
    for (size_t n = 0; n < shown->comparisons && n < MOST; n++) {
        words.length = 0;
        if (n == MOST - 1 && shown->comparisons > MOST)
            ws_text_add(&words, "and %zu more in the table", shown->comparisons - n);
        else
            add_comparison(&words, &shown->comparison[n]);
        add_line(text, 0.02 + 0.48 * (double)(n / LINES), 0.14 - 0.028 * (double)(n % LINES),
                 shown->comparisons > LINES ? WS_FONT ",8" : WS_FONT ",10", words.failed ? "" : words.data);
    }
    ws_text_free(&words);
}

/* ---- Panels ---- */

typedef enum ws_status panel_function(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error);

/* Edges of a chart's panels: charts share the width of the picture, panels that of their chart. */
static void place(struct ws_panel *panel, const struct ws_shown *shown, double left, double right)
{
    const struct ws_chart *const chart = panel->chart;
    const bool flat = chart->kind == WS_CHART_spans || chart->kind == WS_CHART_heat_map || chart->kind == WS_CHART_scatter;
    panel->left = left + 0.055 + (*chart->y ? 0.02 : 0);
    panel->right = right - 0.015;
    panel->top = flat ? 0.77 : 0.72;
    panel->bottom = shown->comparisons > 0 ? 0.29 : chart->kind == WS_CHART_scatter ? 0.075 : 0.17;
    if (*chart->x && shown->comparisons == 0)
        panel->bottom += 0.03;
}

static enum ws_status for_chart(struct ws_text *text, const struct ws_shown *shown, const struct ws_chart *chart, double left,
                                double right, size_t *number, panel_function *add, struct ws_error *error)
{
    struct ws_panel panel = {.chart = chart, .name = "", .group = ws_answer_find(&chart->answer, "panel")};
    struct ws_words names;
    WS_TRY(ws_words_of(&chart->answer, panel.group, chart->answer.columns, "", &names, error));
    const bool one = panel.group == chart->answer.columns || names.count == 0;
    const size_t count = one ? 1 : names.count < PANELS_MOST ? names.count : PANELS_MOST;
    int font;
    left += chart->kind == WS_CHART_scatter ? ws_scatter_room(chart, &font) : 0;
    const double width = (right - left) / (double)count;
    enum ws_status status = WS_STATUS_ok;
    if (one)
        panel.group = chart->answer.columns;
    for (size_t n = 0; n < count && status == WS_STATUS_ok; n++) {
        panel.name = one ? "" : names.word[n];
        panel.number = (*number)++;
        panel.first = n == 0;
        place(&panel, shown, left + (double)n * width, left + (double)(n + 1) * width);
        panel.middle = one ? (panel.left + panel.right) / 2 : (left + right) / 2;
        panel.top -= one ? 0 : 0.06; /* panel names stand between them and the key */
        panel.key = panel.top + (one ? 0.035 : 0.125);
        status = add(text, &panel, error);
    }
    ws_words_free(&names);
    return status;
}

static enum ws_status for_panels(struct ws_text *text, const struct ws_shown *shown, panel_function *add, struct ws_error *error)
{
    double shares = 0, left = 0;
    size_t number = 0;
    for (size_t n = 0; n < shown->charts; n++)
        shares += shown->chart[n].share;
    for (size_t n = 0; n < shown->charts; n++) {
        const double right = left + shown->chart[n].share / shares;
        WS_TRY(for_chart(text, shown, &shown->chart[n], left, right, &number, add, error));
        left = right;
    }
    return WS_STATUS_ok;
}

/* Drawing commands run once per output type, so data blocks must precede them. */
enum ws_status ws_shown_script(struct ws_text *text, const struct ws_shown *shown, const char *base, const char *types,
                               struct ws_error *error)
{
    const struct ws_paper_figure *const figure = shown->figure;
    ws_text_add(text, "# %s%s%s: %s\nset encoding utf8\nset datafile missing \"?\"\n", figure->paper ? figure->paper->name : "",
                figure->paper ? "/" : "", figure->name, ws_paper_text(figure, "title"));
    WS_TRY(for_panels(text, shown, ws_chart_data, error));
    ws_text_add(text, "path = ");
    ws_put_string(text, base, " ");
    ws_text_add(text,
                ".\".\"\n"
                "do for [type in \"%s\"] {\n"
                "if (type eq \"svg\") { set terminal svg size 1180,640 font \"" WS_FONT ",11\" noenhanced background \"white\" }\n"
                "else { set terminal pngcairo size 2360,1280 fontscale 2 linewidth 2 font \"" WS_FONT ",11\" noenhanced background "
                "\"white\" }\n"
                "set output path.type\n"
                "set multiplot\n"
                "set border 3 lc rgb \"#606060\"\nset grid ytics lc rgb \"#e4e4e4\" lt 1\nset ytics nomirror scale 0.5\n"
                "set style fill solid 1.0 noborder\n",
                types);
    add_labels(text, shown);
    WS_TRY(for_panels(text, shown, ws_chart_draw, error));
    ws_text_add(text, "unset multiplot\nset output\nunset label\n}\n");
    return WS_STATUS_ok;
}
