/* Bars: groups along the axis, in each a bar per series, with the paper's value across it or next to it. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "figures/charts/chart.h"

#define PAPER_BOXES(pattern)                                                                                                       \
    " with boxes fs pattern " pattern " border lc rgb \"" WS_PAPER_COLOUR "\" fc rgb \"" WS_PAPER_COLOUR "\""

enum { SIMULATED, PAPER, FOLLOWS, VALUES }; /* what a bar has */

/* Distinguishable by colour-blind readers and in greyscale; the first is often the baseline. */
static const char *const shades[] = {"#9a9a9a", "#bdd7e7", "#6baed6", "#2171b5", "#08306b", "#d9d9d9", "#525252", "#c7e9c0"};
static const char *const alone[] = {"#2171b5"}; /* of a single series */
enum { SHADES = sizeof shades / sizeof *shades };

/* Numbers of a chart: of group g and series s at [g * series.count + s]. */
struct bars {
    const struct ws_panel *panel;
    struct ws_words groups, series;
    double (*value)[VALUES];
    bool has[VALUES];
    double low, high;
};

static void free_bars(struct bars *bars)
{
    ws_words_free(&bars->groups);
    ws_words_free(&bars->series);
    free(bars->value);
}

static void take_value(struct bars *bars, size_t at, size_t which, double value)
{
    bars->value[at][which] = value;
    if (!isfinite(value))
        return;
    bars->has[which] = true;
    bars->low = fmin(bars->low, value);
    bars->high = fmax(bars->high, value);
}

static enum ws_status read_bars(const struct ws_panel *panel, struct bars *bars, struct ws_error *error)
{
    static const char *const names[VALUES] = {"y", "paper", "follows"};
    const struct ws_chart *const chart = panel->chart;
    *bars = (struct bars){.panel = panel, .low = fmin(chart->from, chart->low), .high = fmax(chart->from, chart->high)};
    WS_TRY(ws_panel_words(panel, "x", &bars->groups, error));
    enum ws_status status = ws_panel_words(panel, "series", &bars->series, error);
    const size_t count = bars->groups.count * bars->series.count;
    bars->value = calloc(count + 1, sizeof *bars->value);
    if (status == WS_STATUS_ok && !bars->value)
        status = ws_no_memory(error);
    if (status != WS_STATUS_ok) {
        free_bars(bars);
        return status;
    }
    for (size_t n = 0; n < count; n++)
        for (size_t which = 0; which < VALUES; which++)
            bars->value[n][which] = (double)NAN;
    for (size_t row = 0; row < chart->answer.rows; row++) {
        if (!ws_panel_has(panel, row))
            continue;
        const size_t group = ws_words_find(&bars->groups, ws_answer_text(&chart->answer, row, ws_panel_column(panel, "x")));
        const size_t series = ws_words_find(&bars->series, ws_answer_text(&chart->answer, row, ws_panel_column(panel, "series")));
        for (size_t which = 0; which < VALUES; which++)
            take_value(bars, group * bars->series.count + series, which,
                       ws_answer_number(&chart->answer, row, ws_panel_column(panel, names[which])));
    }
    return status;
}

static const char *colour_of(const struct bars *bars, size_t n)
{
    const bool one = bars->series.count == 1 && !bars->panel->chart->each;
    return ws_panel_colour(bars->panel, n, one ? alone : shades, one ? 1 : SHADES);
}

/* One row per group: position and colour, then for each series the simulated value, the paper's, and the derived one. */
enum ws_status ws_chart_data_bars(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct bars bars;
    WS_TRY(read_bars(panel, &bars, error));
    for (size_t group = 0; group < bars.groups.count; group++) {
        ws_text_add(text, "%zu 0x%s", group, colour_of(&bars, group) + 1);
        for (size_t n = 0; n < bars.series.count * VALUES; n++)
            ws_put_value(text, bars.value[group * bars.series.count + n / VALUES][n % VALUES]);
        ws_text_add(text, "\n");
    }
    free_bars(&bars);
    return WS_STATUS_ok;
}

/* ---- Drawing ---- */

/* A value's column in the data block. */
static size_t column_of(size_t series, size_t which)
{
    return 3 + series * VALUES + which;
}

/* Numbers at the bars of a column: above positive, below negative ones. */
static void add_numbers(struct ws_text *text, const struct bars *bars, const char *x, size_t column, bool narrow)
{
    const struct ws_chart *const chart = bars->panel->chart;
    const char *const sign = chart->sign ? "+" : "";
    for (int below = 0; below < 2; below++)
        ws_text_add(
            text,
            ", $panel%zu using (%s):(column(%zu) %s %g ? column(%zu) : NaN):(sprintf(\"%%%s.%uf\", column(%zu))) with labels "
            "%s offset 0,%s notitle",
            bars->panel->number, x, column, below ? "<" : ">=", chart->from, column, sign, chart->numbers - 1, column,
            narrow ? "rotate left font \"" WS_FONT ",8\"" : "center font \"" WS_FONT ",9\"",
            narrow  ? below ? "-1.6" : "0.4"
            : below ? "-0.7"
                    : "0.7");
}

/* The paper's values beside a bar. */
static void add_beside(struct ws_text *text, const struct bars *bars, size_t series, double x)
{
    static const char *const titles[] = {
        [PAPER] = PAPER_BOXES("4") " title \"paper\"", [FOLLOWS] = PAPER_BOXES("0") " title \"follows from the paper's means\""};
    char place[32];
    snprintf(place, sizeof place, "$1%+.4f", x);
    for (size_t which = PAPER; which <= FOLLOWS; which++) {
        if (!bars->has[which])
            continue;
        ws_text_add(text, ", $panel%zu using (%s):%zu:(0.36)%s", bars->panel->number, place, column_of(series, which),
                    titles[which]);
        if (bars->panel->chart->numbers > 0)
            add_numbers(text, bars, place, column_of(series, which), false);
    }
}

static void add_series(struct ws_text *text, const struct bars *bars, size_t series)
{
    const struct ws_chart *const chart = bars->panel->chart;
    const bool beside = chart->beside && (bars->has[PAPER] || bars->has[FOLLOWS]);
    const double room = 0.8 / (double)bars->series.count, width = beside ? 0.36 : 0.92 * room;
    const double shift = beside ? -0.2 : ((double)series + 0.5) * room - 0.4;
    const size_t own = column_of(series, SIMULATED), number = bars->panel->number;
    char place[32];
    snprintf(place, sizeof place, "$1%+.4f", shift);
    ws_text_add(text, "%s$panel%zu using (%s):%zu:(%s%+.4f):(%s%+.4f):(%g):%zu", series > 0 ? ", " : "plot ", number, place, own,
                place, -width / 2, place, width / 2, chart->from, own);
    if (chart->each)
        ws_text_add(text, ":2 with boxxyerror lc rgb variable notitle");
    else
        ws_text_add(text, " with boxxyerror lc rgb \"%s\" title ", colour_of(bars, series));
    if (!chart->each)
        ws_put_string(text, *bars->series.word[series] ? bars->series.word[series] : "simulated", " ");
    if (chart->numbers > 0)
        add_numbers(text, bars, place, own, !beside && room * ws_panel_pixels(bars->panel) / (double)bars->groups.count < 30);
    if (beside)
        add_beside(text, bars, series, 0.2);
    else if (bars->has[PAPER])
        ws_text_add(text,
                    ", $panel%zu using ($1%+.4f):%zu:(%.4f):(0) with vectors nohead lw 2 lc rgb \"" WS_PAPER_COLOUR "\" notitle",
                    number, shift - room / 2, column_of(series, PAPER), room);
}

enum ws_status ws_chart_draw_bars(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    struct bars bars;
    WS_TRY(read_bars(panel, &bars, error));
    const double from = panel->chart->from, span = bars.high - bars.low, pad = panel->chart->numbers > 0 ? 0.15 : 0.05;
    if (!(span > 0) || !bars.has[SIMULATED]) {
        ws_put_nothing(text);
        free_bars(&bars);
        return WS_STATUS_ok;
    }
    ws_put_tics(text, panel, &bars.groups);
    ws_text_add(text, "set yrange [%.4g:%.4g]\n", bars.low < from ? bars.low - pad * span : bars.low, bars.high + pad * span);
    ws_text_add(text, "set arrow from graph 0, first %g to graph 1, first %g nohead lc rgb \"#606060\" front\n", from, from);
    for (size_t series = 0; series < bars.series.count; series++)
        add_series(text, &bars, series);
    if (panel->chart->each)
        ws_text_add(text, ", keyentry with boxes lc rgb \"#2171b5\" title \"simulated\"");
    if (bars.has[PAPER] && !panel->chart->beside)
        ws_text_add(text, ", keyentry with lines lw 2 lc rgb \"" WS_PAPER_COLOUR "\" title \"paper\"");
    ws_text_add(text, "\nunset arrow\n");
    free_bars(&bars);
    return WS_STATUS_ok;
}

/* ---- Histograms: adjacent bars ---- */

enum ws_status ws_chart_data_histogram(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    return ws_chart_data_bars(text, panel, error);
}

enum ws_status ws_chart_draw_histogram(struct ws_text *text, const struct ws_panel *panel, struct ws_error *error)
{
    return ws_chart_draw_bars(text, panel, error);
}
