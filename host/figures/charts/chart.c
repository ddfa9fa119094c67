#include "figures/charts/chart.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

enum { SMALLEST = 6, LARGEST = 11, UPRIGHT = 9, LINES = 4 }; /* fonts of names below an axis, in one line */
enum { FEW = 6, FEW_UPRIGHT = 6, FEW_LINES = 7 };            /* the same of a few names */

/* ---- Rows of a panel ---- */

size_t ws_panel_column(const struct ws_panel *panel, const char *name)
{
    return ws_answer_find(&panel->chart->answer, name);
}

bool ws_panel_has(const struct ws_panel *panel, size_t row)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    return panel->group == answer->columns || strcmp(ws_answer_text(answer, row, panel->group), panel->name) == 0;
}

enum ws_status ws_panel_words(const struct ws_panel *panel, const char *name, struct ws_words *words, struct ws_error *error)
{
    return ws_words_of(&panel->chart->answer, ws_panel_column(panel, name), panel->group, panel->name, words, error);
}

const char *ws_panel_colour(const struct ws_panel *panel, size_t n, const char *const *standard, size_t count)
{
    const struct ws_chart *const chart = panel->chart;
    return chart->colours > 0 ? chart->colour[n % chart->colours] : standard[n % count];
}

double ws_panel_pixels(const struct ws_panel *panel)
{
    return (panel->right - panel->left) * WS_PICTURE_PIXELS;
}

/* ---- Texts ---- */

/* gnuplot would run backquotes as shell commands. */
void ws_put_string(struct ws_text *text, const char *words, const char *blank)
{
    ws_text_add(text, "\"");
    for (; *words; words++) {
        if (strchr("\"\\`\n", *words))
            ws_text_add(text, "\\%03o", (unsigned)*words);
        else if (*words == ' ')
            ws_text_add(text, "%s", blank);
        else
            ws_text_add(text, "%c", *words);
    }
    ws_text_add(text, "\"");
}

void ws_put_value(struct ws_text *text, double value)
{
    if (isfinite(value))
        ws_text_add(text, " %.6g", value);
    else
        ws_text_add(text, " ?");
}

/* The font for names of one line per word, with this many pixels of axis each, without overlap. */
static double font_of(const struct ws_words *names, double pixels, size_t *lines)
{
    const double letter = 0.72; /* its mean width in DejaVu Sans, relative to the font's size */
    size_t longest = 1;
    *lines = 1;
    for (size_t n = 0; n < names->count; n++) {
        size_t own = 0;
        for (const char *word = names->word[n]; *word; word += strcspn(word, " "), word += *word == ' ', own++)
            longest = strcspn(word, " ") > longest ? strcspn(word, " ") : longest;
        *lines = own > *lines ? own : *lines;
    }
    return fmax(SMALLEST, fmin(LARGEST, floor(pixels / ((double)longest * letter))));
}

void ws_put_tics(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *words)
{
    size_t lines;
    const double font = font_of(words, ws_panel_pixels(panel) / (1.12 * (double)words->count), &lines);
    const bool few = words->count <= FEW;
    const bool fits = font >= (few ? FEW_UPRIGHT : UPRIGHT) && lines <= (few ? FEW_LINES : LINES);
    ws_text_add(text, "set xtics (");
    for (size_t n = 0; n < words->count; n++) {
        ws_text_add(text, "%s", n > 0 ? ", " : "");
        ws_put_string(text, words->word[n], fits ? "\\n" : " ");
        ws_text_add(text, " %zu", n);
    }
    if (fits)
        ws_text_add(text, ") scale 0 norotate center font \"" WS_FONT ",%.0f\"\n", font);
    else
        ws_text_add(text, ") scale 0 rotate by 30 right font \"" WS_FONT ",10\"\n");
    ws_text_add(text, "set xrange [-0.55:%.2f]\n", (double)words->count - 0.45);
}

void ws_put_key(struct ws_text *text, const struct ws_panel *panel)
{
    if (!panel->first) {
        ws_text_add(text, "unset key\n");
        return;
    }
    ws_text_add(text,
                "set key at screen %.4f, screen %.4f center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"" WS_FONT
                ",10\"\n",
                panel->middle, panel->key);
}

void ws_put_nothing(struct ws_text *text)
{
    ws_text_add(text, "set label \"There is nothing to draw: the query's answer has no numbers\" at graph 0.5, 0.5 center\n"
                      "unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nplot 2 notitle\nset border\nset tics\n");
}

/* ---- A panel ---- */

static ws_chart_function *const datas[] = {
#define CHART(name, words, needed, doc) [WS_CHART_##name] = ws_chart_data_##name,
#include "figures/charts/charts.def"
#undef CHART
};

static ws_chart_function *const draws[] = {
#define CHART(name, words, needed, doc) [WS_CHART_##name] = ws_chart_draw_##name,
#include "figures/charts/charts.def"
#undef CHART
};

enum ws_status ws_chart_data(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    ws_text_add(text, "$panel%zu << EOD\n", panel->number);
    const enum ws_status status = datas[panel->chart->kind](text, panel, error);
    ws_text_add(text, "EOD\n");
    return status;
}

static void add_axis(struct ws_text *text, const char *axis, const char *title)
{
    if (!*title) {
        ws_text_add(text, "unset %slabel\n", axis);
        return;
    }
    ws_text_add(text, "set %slabel ", axis);
    ws_put_string(text, title, " ");
    ws_text_add(text, "%s\n", strcmp(axis, "y") == 0 ? " offset 1,0" : "");
}

static bool has_rows(const struct ws_panel *panel)
{
    for (size_t row = 0; row < panel->chart->answer.rows; row++)
        if (ws_panel_has(panel, row))
            return true;
    return false;
}

/* The panel's name, or the chart's title; for stacked bars with the names of the bars. */
static enum ws_status add_title(struct ws_text *title, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_chart *const chart = panel->chart;
    struct ws_words bars;
    ws_text_add(title, "%s", panel->group < chart->answer.columns ? panel->name : chart->title ? chart->title : "");
    if (chart->kind != WS_CHART_stacked || ws_panel_column(panel, "bar") == chart->answer.columns)
        return WS_STATUS_ok;
    WS_TRY(ws_panel_words(panel, "bar", &bars, error));
    for (size_t n = 0; bars.count > 1 && n < bars.count; n++)
        ws_text_add(title, "%s%s", n > 0 ? ", " : "; bars from the left: ", bars.word[n]);
    ws_words_free(&bars);
    return WS_STATUS_ok;
}

enum ws_status ws_chart_draw(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_chart *const chart = panel->chart;
    struct ws_text title = {0};
    WS_TRY(add_title(&title, panel, error));
    const bool small = (double)title.length * LARGEST * 0.62 > ws_panel_pixels(panel) + 60;
    ws_text_add(text,
                "set lmargin at screen %.4f; set rmargin at screen %.4f; set tmargin at screen %.3f; set bmargin at screen %.3f\n"
                "set title ",
                panel->left, panel->right, panel->top, panel->bottom);
    ws_put_string(text, title.failed || !title.data ? "" : title.data, " ");
    ws_text_free(&title);
    ws_text_add(text, " font \"" WS_FONT ",%d\" offset 0,%s\n", small ? 9 : 12,
                panel->key > panel->top + 0.05 || chart->kind == WS_CHART_spans || chart->kind == WS_CHART_heat_map ? "0"
                : chart->kind == WS_CHART_scatter                                                                   ? "1.6"
                                                                                                                    : "2.6");
    add_axis(text, "x", chart->x);
    add_axis(text, "y", panel->first ? chart->y : "");
    ws_put_key(text, panel);
    ws_text_add(text, "unset arrow\n");
    if (!has_rows(panel)) {
        ws_put_nothing(text);
        return WS_STATUS_ok;
    }
    const enum ws_status status = draws[chart->kind](text, panel, error);
    ws_text_add(text, "unset label\n"); /* labels of the figure, which every plot would draw again */
    return status;
}

/* ---- Tables are not drawn ---- */

enum ws_status ws_chart_data_table(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    (void)text, (void)panel, (void)error;
    return WS_STATUS_ok;
}

enum ws_status ws_chart_draw_table(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    (void)panel, (void)error;
    ws_put_nothing(text);
    return WS_STATUS_ok;
}
