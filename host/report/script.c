/* The gnuplot script of a figure: IPC by workload on the left, mean gains beside the paper's on the right, the comparison below. */
#include <math.h>
#include <string.h>

#include "report/script.h"
#include "report/sensitivity.h"

/* From the lightest to the darkest, told apart by colour-blind eyes and on grey paper; the baseline is grey, the paper orange. */
static const char *const shades[] = {"#bdd7e7", "#6baed6", "#2171b5", "#08306b"};
enum { SHADES = sizeof shades / sizeof *shades };
#define BASELINE_COLOUR "#9a9a9a"
#define PAPER_COLOUR    "#d55e00"

enum { VALUES_UP_TO = 6 }; /* workloads; with more there is no room for a number on every bar */

/* Backquotes would be run as a shell's command. */
void ws_script_string(struct ws_text *text, const char *words, const char *blank)
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

static const char *colour(const struct ws_measures *measures, size_t point)
{
    if (point == measures->baseline)
        return BASELINE_COLOUR;
    const size_t others = measures->points - (measures->baseline < measures->points);
    const size_t rank = point - (point > measures->baseline);
    return shades[others <= SHADES ? rank + (SHADES - others) / 2 : rank * SHADES / others];
}

void ws_script_value(struct ws_text *text, double value)
{
    if (isfinite(value))
        ws_text_add(text, " %.6g", value);
    else
        ws_text_add(text, " ?");
}

static bool over_baseline(const struct ws_measures *measures, const struct ws_target *target)
{
    return measures->baseline < measures->points && strcmp(ws_measures_name(measures, measures->baseline), target->versus) == 0;
}

double ws_script_paper_gain(const struct ws_shown *shown, size_t point)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if (target[n].kind == WS_TARGET_gain && strcmp(target[n].paper, shown->figure->paper) == 0 &&
            strcmp(target[n].point, ws_measures_name(shown->measures, point)) == 0 && over_baseline(shown->measures, &target[n]))
            return target[n].value;
    return (double)NAN;
}

static bool paper_says(const struct ws_shown *shown)
{
    for (size_t point = 0; point < shown->measures->points; point++)
        if (isfinite(ws_script_paper_gain(shown, point)))
            return true;
    return false;
}

/* ---- Data ---- */

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
    ws_text_add(text, "# place, ours, paper, colour of ours, its shift\n$gain << EOD\n");
    for (size_t point = 0, place = 0; point < measures->points; point++) {
        if (point == measures->baseline)
            continue;
        ws_text_add(text, "%zu", place++);
        ws_script_value(text, measures->geometric[point]);
        ws_script_value(text, ws_script_paper_gain(shown, point));
        ws_text_add(text, " 0x%s %.2f\n", colour(measures, point) + 1, isfinite(ws_script_paper_gain(shown, point)) ? -0.2 : 0.0);
    }
    ws_text_add(text, "EOD\n");
}

/* ---- Text around the panels ---- */

static void add_line(struct ws_text *text, double y, const char *font, const char *words)
{
    ws_text_add(text, "set label ");
    ws_script_string(text, words, " ");
    ws_text_add(text, " at screen 0.02, %.3f left font \"%s\" front\n", y, font);
}

static void add_comparison(struct ws_text *words, const struct ws_comparison *row)
{
    const struct ws_target *const target = row->target;
    const char *const number = ws_target_format(target);
    ws_text_add(words, "%s, %s%s%s: paper ", target->metric, target->configuration, *target->versus ? " over " : "",
                target->versus);
    ws_text_add(words, number, target->value);
    if (!isfinite(row->ours)) {
        ws_text_add(words, " %s, ours missing", target->unit);
        return;
    }
    ws_text_add(words, " %s, ours ", target->unit);
    ws_text_add(words, number, row->ours);
    ws_text_add(words, " %s (", target->unit);
    ws_text_add(words, ws_target_format_difference(target), row->ours - target->value);
    ws_text_add(words, ")");
}

static void add_labels(struct ws_text *text, const struct ws_shown *shown)
{
    struct ws_text words = {0};
    add_line(text, 0.95, "DejaVu Sans Bold,16", shown->figure->title);
    add_line(text, 0.895, "DejaVu Sans,11", shown->figure->source);
    for (size_t n = 0; n < shown->comparison_count; n++) {
        words.length = 0;
        ws_text_add(&words, "\xC2\xA7 %s  ", shown->comparisons[n].target->where);
        add_comparison(&words, &shown->comparisons[n]);
        add_line(text, 0.14 - 0.028 * (double)n, "DejaVu Sans,10", words.failed ? "" : words.data);
    }
    words.length = 0;
    ws_render_over(&words, shown);
    ws_text_add(text, "set label ");
    ws_script_string(text, words.failed ? "" : words.data, " ");
    ws_text_add(text, " at screen 0.98, 0.95 right font \"DejaVu Sans,11\" front\n");
    ws_text_free(&words);
}

/* ---- Panels ---- */

static void add_ipc_panel(struct ws_text *text, const struct ws_measures *measures)
{
    const double width = 0.8 / (double)measures->points;
    double most = 0;
    for (size_t n = 0; n < measures->points * measures->traces; n++)
        most = fmax(most, measures->ipc[n]); /* leaves NaN out */
    if (most <= 0)
        most = 1;
    ws_text_add(text,
                "set title \"IPC (thread instructions per cycle, at most 32)\" font \"DejaVu Sans,12\" offset 0,1.6\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.66; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
                "set key at screen 0.3575, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n"
                "set boxwidth %.4f\nset yrange [0:%.3f]\nset xrange [-0.55:%.2f]\nset xtics (",
                width * 0.94, most * 1.18, (double)measures->traces - 0.45);
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%s", trace ? ", " : "");
        ws_script_string(text, measures->trace[trace], " ");
        ws_text_add(text, " %zu", trace);
    }
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
        const double paper = ws_script_paper_gain(shown, point);
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
    ws_text_add(text, ") scale 0 norotate center font \"DejaVu Sans,9\"\n");
}

/* Bars of a column at place x (an expression) and their numbers, above or below by sign. */
static void add_bars(struct ws_text *text, int column, const char *x, const char *style)
{
    ws_text_add(text, "$gain using (%s):%d:(0.36)%s", x, column, style);
    for (int below = 0; below < 2; below++)
        ws_text_add(text,
                    ", $gain using (%s):(column(%d) %s 0 ? column(%d) : NaN):(sprintf(\"%%+.1f\", column(%d))) with labels center "
                    "font \"DejaVu Sans,9\" offset 0,%s notitle",
                    x, column, below ? "<" : ">=", column, column, below ? "-0.7" : "0.7");
}

static void add_gain_panel(struct ws_text *text, const struct ws_shown *shown)
{
    ws_text_add(text, "unset label\nset title \"Mean IPC gain over the baseline, %%\" font \"DejaVu Sans,12\" offset 0,1.6\n"
                      "set lmargin at screen 0.73; set rmargin at screen 0.985\n"
                      "set key at screen 0.8575, screen 0.755 center\n"
                      "set xzeroaxis lt 1 lc rgb \"#606060\"\n");
    add_gain_axes(text, shown);
    ws_text_add(text, "plot ");
    add_bars(text, 2, "$1+$5", ":4 with boxes lc rgb variable notitle");
    ws_text_add(text, ", keyentry with boxes lc rgb \"#2171b5\" title \"ours, geometric mean\"%s", paper_says(shown) ? ", " : "");
    if (paper_says(shown))
        add_bars(text, 3, "$1+0.2",
                 " with boxes fs pattern 4 border lc rgb \"" PAPER_COLOUR "\" fc rgb \"" PAPER_COLOUR "\" title \"paper\"");
    ws_text_add(text, "\n");
}

/* ---- Use of the lanes ---- */

/* None is white, all is the darkest. */
static const struct {
    const char *name, *colour;
} uses[WS_USES] = {{"none", "#f0f0f0"},     {"1 to 8", "#fdd0a2"},   {"9 to 16", "#9ecae1"},
                   {"17 to 24", "#4292c6"}, {"25 to 31", "#2171b5"}, {"32", "#08306b"}};

/* Of each trace a row: for each point the shares up to each class, the class without active lanes last. */
static void add_use_data(struct ws_text *text, const struct ws_measures *measures, size_t points)
{
    ws_text_add(text, "$use << EOD\n");
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%zu", trace);
        for (size_t point = 0; point < points; point++) {
            double sum = 0;
            for (size_t use = WS_USES; use-- > 0;)
                ws_script_value(text, 100 * (sum += measures->use[point * measures->traces + trace][use]));
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

/* The points whose bars are shown: all, or the baseline, which comes first. */
static size_t points_with_bars(const struct ws_shown *shown)
{
    return shown->figure->kind == WS_FIGURE_baseline ? shown->measures->baseline + 1 : shown->measures->points;
}

static void add_use_panel(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t points = points_with_bars(shown);
    const double width = 0.8 / (double)points;
    struct ws_text title = {0};
    ws_text_add(&title, "Cycles by active lanes, %%%s", points > 1 ? "; bars of a workload from the left: " : "");
    for (size_t point = 0; points > 1 && point < points; point++)
        ws_text_add(&title, "%s%s", point ? ", " : "", measures->point[point]);
    ws_text_add(text, "set title ");
    ws_script_string(text, title.failed ? "" : title.data, " ");
    ws_text_free(&title);
    ws_text_add(text,
                " font \"DejaVu Sans,9\" offset 0,1.6\n"
                "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
                "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1 width 0.5 font \"DejaVu "
                "Sans,10\"\n"
                "set boxwidth %.4f\nset yrange [0:100]\nset xrange [-0.55:%.2f]\nset xtics (",
                width * 0.9, (double)measures->traces - 0.45);
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_text_add(text, "%s", trace ? ", " : "");
        ws_script_string(text, measures->trace[trace], " ");
        ws_text_add(text, " %zu", trace);
    }
    ws_text_add(text, ") scale 0 norotate font \"DejaVu Sans,11\"\nplot ");
    for (size_t use = 0; use < WS_USES; use++)
        for (size_t point = 0; point < points; point++) {
            ws_text_add(text, "%s$use using ($1%+.4f):%zu with boxes lc rgb \"%s\" ", use + point ? ", " : "",
                        ((double)point + 0.5) * width - 0.4, 2 + point * WS_USES + (WS_USES - 1 - use), uses[use].colour);
            if (point > 0)
                ws_text_add(text, "notitle");
            else
                ws_text_add(text, "title \"%s\"", uses[use].name);
        }
    ws_text_add(text, "\n");
}

/* The commands run twice, for SVG and for PNG; a file's name is folder/figure.type. */
void ws_render_script(struct ws_text *text, const struct ws_shown *shown, const char *folder)
{
    ws_text_add(text, "# %s/%s: %s\nset encoding utf8\nset datafile missing \"?\"\n", shown->figure->paper, shown->figure->name,
                shown->figure->title);
    const enum ws_figure_kind kind = shown->figure->kind;
    if (kind == WS_FIGURE_gains) {
        add_ipc_data(text, shown->measures);
        add_gain_data(text, shown);
    } else if (kind == WS_FIGURE_sensitivity) {
        ws_sensitivity_data(text, shown);
    } else {
        add_use_data(text, shown->measures, points_with_bars(shown));
    }
    ws_text_add(text, "path = ");
    ws_script_string(text, folder, " ");
    ws_text_add(text,
                ".\"/%s.\"\n"
                "do for [type in \"svg png\"] {\n"
                "if (type eq \"svg\") { set terminal svg size 1180,640 font \"DejaVu Sans,11\" noenhanced background \"white\" }\n"
                "else { set terminal pngcairo size 2360,1280 fontscale 2 linewidth 2 font \"DejaVu Sans,11\" noenhanced background "
                "\"white\" }\n"
                "set output path.type\n"
                "set multiplot\n"
                "set border 3 lc rgb \"#606060\"\nset grid ytics lc rgb \"#e4e4e4\" lt 1\nset ytics nomirror scale 0.5\n"
                "set style fill solid 1.0 noborder\n",
                shown->figure->name);
    add_labels(text, shown);
    if (kind == WS_FIGURE_gains) {
        add_ipc_panel(text, shown->measures);
        add_gain_panel(text, shown);
    } else if (kind == WS_FIGURE_sensitivity) {
        ws_sensitivity_panel(text, shown);
    } else {
        add_use_panel(text, shown);
    }
    ws_text_add(text, "unset multiplot\nset output\nunset label\n}\n");
}
