/* Figures of gains: IPC by workload on the left, mean gains beside the paper's on the right. */
#include <math.h>
#include <string.h>

#include "report/kinds.h"

/* From the lightest to the darkest, told apart by colour-blind eyes and on grey paper; the baseline is grey, the paper orange. */
static const char *const shades[] = {"#bdd7e7", "#6baed6", "#2171b5", "#08306b"};
enum { SHADES = sizeof shades / sizeof *shades };
#define BASELINE_COLOUR      "#9a9a9a"
#define PAPER_COLOUR         "#d55e00"
#define PAPER_BOXES(pattern) " with boxes fs pattern " pattern " border lc rgb \"" PAPER_COLOUR "\" fc rgb \"" PAPER_COLOUR "\""

enum { GAIN_PIXELS = 300 }; /* width of the panel of mean gains */
enum { VALUES_UP_TO = 6 };  /* workloads; with more there is no room for a number on every bar */

/* ---- Tables ---- */

void ws_table_gains(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const int label = ws_table_label(measures);
    ws_table_heads(text, measures, "IPC");
    ws_text_add(text, "  %14s  %14s\n", "geo. mean gain", "ar. mean gain");
    for (size_t point = 0; point < measures->points; point++) {
        ws_text_add(text, "%-*s", label, measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            ws_table_number(text, ws_table_width(measures, trace), "%.3f", measures->ipc[point * measures->traces + trace]);
        if (point != measures->baseline) {
            ws_table_number(text, 14, "%+.1f %%", measures->geometric[point]);
            ws_table_number(text, 14, "%+.1f %%", measures->arithmetic[point]);
        }
        ws_text_add(text, "\n");
    }
}

void ws_markdown_gains(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_markdown_heads(text, measures, "IPC", "mean gain, %");
    for (size_t point = 0; point < measures->points; point++) {
        ws_text_add(text, "| %s |", measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            ws_markdown_number(text, "%.2f", measures->ipc[point * measures->traces + trace]);
        if (point == measures->baseline)
            ws_text_add(text, " |");
        else
            ws_markdown_number(text, "%+.1f", measures->geometric[point]);
        ws_text_add(text, "\n");
    }
}

/* ---- The picture ---- */

static const char *colour(const struct ws_measures *measures, size_t point)
{
    if (point == measures->baseline)
        return BASELINE_COLOUR;
    const size_t others = measures->points - (measures->baseline < measures->points);
    const size_t rank = point - (point > measures->baseline);
    return shades[others <= SHADES ? rank + (SHADES - others) / 2 : rank * SHADES / others];
}

/* The paper's gain of a point over the baseline; where it does not say, what follows from the gains of another point over this one
 * and over the baseline (exact for geometric means), and *follows is true. */
static double paper_gain(const struct ws_shown *shown, size_t point, bool *follows)
{
    const struct ws_measures *const measures = shown->measures;
    const double said = ws_script_paper_gain(shown, point);
    *follows = false;
    for (size_t n = 0; n < shown->comparison_count && !isfinite(said) && point != measures->baseline; n++) {
        const struct ws_target *const target = shown->comparisons[n].target;
        const size_t better = ws_measures_point(measures, target->point);
        if (target->kind != WS_TARGET_gain || better >= measures->points ||
            strcmp(target->versus, ws_measures_name(measures, point)) != 0)
            continue;
        *follows = isfinite(ws_script_paper_gain(shown, better));
        return 100 * ((1 + ws_script_paper_gain(shown, better) / 100) / (1 + target->value / 100) - 1);
    }
    return said;
}

/* Whether the paper has a gain that it states, or one that follows. */
static bool paper_has(const struct ws_shown *shown, bool following)
{
    bool follows;
    for (size_t point = 0; point < shown->measures->points; point++)
        if (isfinite(paper_gain(shown, point, &follows)) && follows == following)
            return true;
    return false;
}

static void add_ipc_data(struct ws_text *text, const struct ws_measures *measures)
{
    ws_text_add(text, "$ipc << EOD\n");
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%zu", trace);
        for (size_t point = 0; point < measures->points; point++)
            ws_script_value(text, measures->ipc[point * measures->traces + trace]);
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

static void add_gain_data(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_text_add(text, "# place, ours, paper, colour of ours, its shift, what follows for the paper\n$gain << EOD\n");
    for (size_t point = 0, place = 0; point < measures->points; point++) {
        if (point == measures->baseline)
            continue;
        bool follows;
        const double paper = paper_gain(shown, point, &follows);
        ws_text_add(text, "%zu", place++);
        ws_script_value(text, measures->geometric[point]);
        ws_script_value(text, follows ? (double)NAN : paper);
        ws_text_add(text, " 0x%s %.2f", colour(measures, point) + 1, isfinite(paper) ? -0.2 : 0.0);
        ws_script_value(text, follows ? paper : (double)NAN);
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

void ws_data_gains(struct ws_text *text, const struct ws_shown *shown)
{
    add_ipc_data(text, shown->measures);
    add_gain_data(text, shown);
}

static double highest_peak(const struct ws_measures *measures)
{
    double peak = 0;
    for (size_t point = 0; point < measures->points; point++)
        peak = fmax(peak, ws_measures_peak(measures, point));
    return peak;
}

static void add_ipc_panel(struct ws_text *text, const struct ws_measures *measures)
{
    const double width = 0.8 / (double)measures->points;
    double most = 0;
    for (size_t n = 0; n < measures->points * measures->traces; n++)
        most = fmax(most, measures->ipc[n]); /* leaves NaN out */
    if (most <= 0)
        most = 1;
    ws_text_add(text,
                "set title \"IPC (thread instructions per cycle, those with a false guard too; %.0f lanes)\" font \"DejaVu "
                "Sans,12\" offset 0,2.8\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.66; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
                "set key at screen 0.3575, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n"
                "set boxwidth %.4f\nset yrange [0:%.3f]\nset xrange [-0.55:%.2f]\nset xtics (",
                highest_peak(measures), width * 0.94, most * 1.18, (double)measures->traces - 0.45);
    ws_script_traces(text, measures);
    ws_text_add(text, ") scale 0 %s\nplot ",
                measures->traces > VALUES_UP_TO ? "rotate by 30 right font \"DejaVu Sans,11\""
                                                : "norotate font \"DejaVu Sans,12\"");
    for (size_t point = 0; point < measures->points; point++) {
        const double shift = ((double)point + 0.5) * width - 0.4;
        ws_text_add(text, "%s$ipc using ($1%+.4f):%zu with boxes lc rgb \"%s\" title ", point ? ", " : "", shift, point + 2,
                    colour(measures, point));
        ws_script_string(text, measures->point[point], " ");
        if (measures->traces <= VALUES_UP_TO)
            ws_text_add(
                text,
                ", $ipc using ($1%+.4f):%zu:(sprintf(\"%%.2f\", column(%zu))) with labels rotate left font \"DejaVu Sans,8\" "
                "offset 0,0.4 notitle",
                shift, point + 2, point + 2);
    }
    ws_text_add(text, "\n");
}

static void add_gain_axes(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    double low = 0, high = 1;
    for (size_t point = 0; point < measures->points; point++) {
        bool follows;
        const double paper = paper_gain(shown, point, &follows);
        low = fmin(low, measures->geometric[point]); /* fmin and fmax leave NaN out */
        high = fmax(high, fmax(measures->geometric[point], paper));
    }
    const double room = 0.12 * (high - low);
    ws_text_add(text, "set yrange [%.4f:%.4f]\nset xrange [-0.6:%.2f]\nset xtics (", low < 0 ? low - room : 0, high + room,
                (double)measures->points - 1.4);
    for (size_t point = 0, place = 0; point < measures->points; point++) {
        if (point == measures->baseline)
            continue;
        ws_text_add(text, "%s", place ? ", " : "");
        ws_script_string(text, measures->point[point], "\\n");
        ws_text_add(text, " %zu", place++);
    }
    ws_text_add(text, ") scale 0 norotate center font \"DejaVu Sans,%u\"\n",
                ws_min(9, ws_script_font((const char *const *)measures->point, measures->points,
                                         GAIN_PIXELS / ((double)measures->points - 0.8))));
}

/* Bars of a column at place x (an expression) and their numbers at another, above or below by sign: a number is wider than its
 * bar. */
static void add_bars(struct ws_text *text, int column, const char *x, const char *number_x, const char *style)
{
    ws_text_add(text, "$gain using (%s):%d:(0.36)%s", x, column, style);
    for (int below = 0; below < 2; below++)
        ws_text_add(text,
                    ", $gain using (%s):(column(%d) %s 0 ? column(%d) : NaN):(sprintf(\"%%+.1f\", column(%d))) with labels center "
                    "font \"DejaVu Sans,9\" offset 0,%s notitle",
                    number_x, column, below ? "<" : ">=", column, column, below ? "-0.7" : "0.7");
}

static void add_gain_panel(struct ws_text *text, const struct ws_shown *shown)
{
    ws_text_add(text, "unset label\nset title \"Mean IPC gain over the baseline, %%\" font \"DejaVu Sans,12\" offset 0,2.8\n"
                      "set lmargin at screen 0.73; set rmargin at screen 0.985\n"
                      "set key at screen 0.8575, screen 0.755 center\n"
                      "set xzeroaxis lt 1 lc rgb \"#606060\"\n");
    add_gain_axes(text, shown);
    ws_text_add(text, "plot ");
    add_bars(text, 2, "$1+$5", "$1+1.15*$5", ":4 with boxes lc rgb variable notitle");
    ws_text_add(text, ", keyentry with boxes lc rgb \"#2171b5\" title \"ours, geometric mean\"");
    if (paper_has(shown, false)) {
        ws_text_add(text, ", ");
        add_bars(text, 3, "$1+0.2", "$1+0.25", PAPER_BOXES("4") " title \"paper\"");
    }
    if (paper_has(shown, true)) {
        ws_text_add(text, ", ");
        add_bars(text, 6, "$1+0.2", "$1+0.25", PAPER_BOXES("0") " title \"follows from the paper's means\"");
    }
    ws_text_add(text, "\n");
}

void ws_panels_gains(struct ws_text *text, const struct ws_shown *shown)
{
    add_ipc_panel(text, shown->measures);
    add_gain_panel(text, shown);
}
