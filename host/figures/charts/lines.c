/* Lines over numbers, and marks in named rows. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "figures/charts/chart.h"

static const char *const line_colours[] = {"#2171b5", "#d55e00", "#525252", "#009e73", "#cc79a7", "#56b4e9", "#08306b", "#7f7f7f"};
static const char *const mark_colours[] = {"#56b4e9", "#0072b2", "#08306b", "#009e73", "#7f7f7f", "#cc79a7"};
static const int marks[] = {7, 5, 13, 9, 11, 15}; /* gnuplot's shapes that differ in greyscale */
enum { LINE_COLOURS = sizeof line_colours / sizeof *line_colours, MARKS = sizeof marks / sizeof *marks, ROOMY = 26, FEW = 40 };

/* The number of a column in the panel's rows, by series: one block per series, separated by two blank lines. */
static enum ws_status add_blocks(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *rows,
                                 struct ws_error *error)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    const size_t x = ws_panel_column(panel, "x"), y = ws_panel_column(panel, "y"), series = ws_panel_column(panel, "series");
    struct ws_words lines;
    WS_TRY(ws_panel_words(panel, "series", &lines, error));
    for (size_t line = 0; line < lines.count; line++) {
        ws_text_add(text, "%s", line > 0 ? "\n\n" : "");
        for (size_t row = 0; row < answer->rows; row++) {
            if (!ws_panel_has(panel, row) || ws_words_find(&lines, ws_answer_text(answer, row, series)) != line)
                continue;
            ws_put_value(text, ws_answer_number(answer, row, x));
            if (rows)
                ws_text_add(text, " %zu", ws_words_find(rows, ws_answer_text(answer, row, y)));
            else
                ws_put_value(text, ws_answer_number(answer, row, y));
            ws_text_add(text, "\n");
        }
    }
    ws_words_free(&lines);
    return WS_STATUS_ok;
}

/* ---- Lines ---- */

enum ws_status ws_chart_data_lines(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    return add_blocks(text, panel, NULL, error);
}

static double most_of(const struct ws_panel *panel)
{
    double most = 1;
    for (size_t row = 0; row < panel->chart->answer.rows; row++)
        most = fmax(most, ws_answer_number(&panel->chart->answer, row, ws_panel_column(panel, "y")));
    return most;
}

/* Lines over numbers; if the axis points down, the values are ranks, 1 on top. */
enum ws_status ws_chart_draw_lines(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    const struct ws_chart *const chart = panel->chart;
    struct ws_words lines;
    WS_TRY(ws_panel_words(panel, "series", &lines, error));
    const bool many = lines.count > 8;
    if (many)
        ws_text_add(text,
                    "set rmargin at screen %.4f\nset key at screen %.4f, screen %.3f right top vertical maxrows 20 samplen 2 font "
                    "\"" WS_FONT ",9\"\n",
                    panel->right - 0.1, panel->right + 0.005, panel->top);
    ws_text_add(text, "set xrange [*:*]\nset autoscale xfix\nset xtics autofreq scale 0.5 norotate font \"" WS_FONT ",10\"\n");
    if (chart->reverse)
        ws_text_add(text, "set yrange [%.1f:0.5]\nset ytics 1\n", most_of(panel) + 0.5);
    else
        ws_text_add(text, "set yrange [%s:*]\n", isfinite(chart->low) ? "0" : "*");
    for (size_t n = 0; n < lines.count; n++) {
        ws_text_add(text, "%s$panel%zu index %zu using 1:2 with linespoints %s lc rgb \"%s\" dt %zu title ", n > 0 ? ", " : "plot ",
                    panel->number, n, chart->answer.rows / lines.count > FEW ? "pt 7 ps 0.4" : "lw 2 pt 7 ps 0.6",
                    ws_panel_colour(panel, n, line_colours, LINE_COLOURS), 1 + n / LINE_COLOURS);
        ws_put_string(text, lines.word[n], " ");
    }
    if (chart->from != 0)
        ws_text_add(text, ", %g with lines lc rgb \"#9a9a9a\" notitle", chart->from);
    ws_text_add(text, "\nset ytics autofreq\n");
    ws_words_free(&lines);
    return WS_STATUS_ok;
}

/* ---- Scatter ---- */

enum ws_status ws_chart_data_scatter(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct ws_words rows;
    WS_TRY(ws_panel_words(panel, "y", &rows, error));
    const enum ws_status status = add_blocks(text, panel, &rows, error);
    ws_words_free(&rows);
    return status;
}

/* The range covers every value, including the paper's. */
static void add_range(struct ws_text *text, const struct ws_panel *panel)
{
    const struct ws_chart *const chart = panel->chart;
    double low = chart->low, high = chart->high;
    for (size_t row = 0; row < chart->answer.rows; row++) { /* fmin and fmax ignore NaN */
        const double x = ws_answer_number(&chart->answer, row, ws_panel_column(panel, "x"));
        const double paper = ws_answer_number(&chart->answer, row, ws_panel_column(panel, "paper"));
        low = fmin(low, fmin(x, paper));
        high = fmax(high, fmax(x, paper));
    }
    ws_text_add(text, "set xrange [%.4g:%.4g]\n", low < chart->low ? low - 0.05 * (high - low) : low, high + 0.05 * (high - low));
}

static void add_papers(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *series)
{
    const struct ws_answer *const answer = &panel->chart->answer;
    for (size_t n = 0; n < series->count; n++) {
        double paper = (double)NAN;
        for (size_t row = 0; row < answer->rows && !isfinite(paper); row++)
            if (ws_words_find(series, ws_answer_text(answer, row, ws_panel_column(panel, "series"))) == n)
                paper = ws_answer_number(answer, row, ws_panel_column(panel, "paper"));
        if (isfinite(paper))
            ws_text_add(
                text,
                "set arrow from first %.4g, graph 0 to first %.4g, graph 1 nohead dashtype 2 linewidth 1.5 lc rgb \"%s\" back\n",
                paper, paper, ws_panel_colour(panel, n, mark_colours, MARKS));
    }
}

double ws_scatter_room(const struct ws_chart *chart, int *font)
{
    const size_t column = ws_answer_find(&chart->answer, "y");
    size_t longest = 0, rows = 0;
    for (size_t row = 0; row < chart->answer.rows; row++) {
        const size_t length = strlen(ws_answer_text(&chart->answer, row, column));
        longest = length > longest ? length : longest;
        rows +=
            row == 0 || strcmp(ws_answer_text(&chart->answer, row, column), ws_answer_text(&chart->answer, row - 1, column)) != 0;
    }
    *font = rows > ROOMY ? 8 : 11;
    const double letter = rows > ROOMY ? 0.8 : 0.64; /* its width relative to the font's size, at least its hinted width */
    return fmax(0, (double)longest * *font * letter / WS_PICTURE_PIXELS - 0.04);
}

/* Named rows; of adjacent panels only the first shows the names. */
static void add_rows(struct ws_text *text, const struct ws_panel *panel, const struct ws_words *rows)
{
    const bool named = panel->first;
    int font;
    ws_scatter_room(panel->chart, &font);
    ws_text_add(text, "set ytics (");
    for (size_t n = 0; n < rows->count; n++) {
        ws_text_add(text, "%s", n > 0 ? ", " : "");
        ws_put_string(text, named ? rows->word[n] : "", " ");
        ws_text_add(text, " %zu", n);
    }
    ws_text_add(text,
                ") nomirror scale 0 font \"" WS_FONT
                ",%d\"\nset yrange [%.1f:-0.7]\nset xtics autofreq nomirror scale 0.5 norotate\n"
                "set grid xtics ytics lc rgb \"#e4e4e4\" lt 1\n",
                font, (double)rows->count - 0.3);
}

enum ws_status ws_chart_draw_scatter(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct ws_words rows, series;
    WS_TRY(ws_panel_words(panel, "y", &rows, error));
    const enum ws_status status = ws_panel_words(panel, "series", &series, error);
    add_rows(text, panel, &rows);
    add_range(text, panel);
    if (status == WS_STATUS_ok)
        add_papers(text, panel, &series);
    for (size_t n = 0; status == WS_STATUS_ok && n < series.count; n++) {
        ws_text_add(text, "%s$panel%zu index %zu using 1:2 with points pt %d ps 1.7 lc rgb \"%s\" title ", n > 0 ? ", " : "plot ",
                    panel->number, n, marks[n % MARKS], ws_panel_colour(panel, n, mark_colours, MARKS));
        ws_put_string(text, series.word[n], " ");
    }
    ws_text_add(text,
                "\nunset arrow\nset ytics autofreq nomirror scale 0.5 font \"" WS_FONT ",11\"\nunset grid\nset grid ytics lc rgb "
                "\"#e4e4e4\" lt 1\n");
    ws_words_free(&rows);
    if (status == WS_STATUS_ok)
        ws_words_free(&series);
    return status;
}
