/* Figures of sensitivity: mean gains of the same points, or speedups over them, in every variation of an experiment; a row a
 * variation, a column or mark a point, broken lines where the paper has a value. */
#include <math.h>
#include <string.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/speedup.h"
#include "report/totals.h"

/* Marks that colour-blind eyes and grey paper tell apart. */
static const struct {
    const char *colour;
    int point; /* gnuplot's number of a shape */
} marks[] = {{"#56b4e9", 7}, {"#0072b2", 5}, {"#08306b", 13}, {"#009e73", 9}, {"#7f7f7f", 11}, {"#cc79a7", 15}};
enum { MARKS = sizeof marks / sizeof *marks };

/* Points of a variation stand together. */
static bool begins(const struct ws_measures *measures, size_t point)
{
    return point == 0 || strcmp(measures->variation[point], measures->variation[point - 1]) != 0;
}

/* What the kinds show: columns are points of the first variation, and have a value in each variation, that which begins at
 * first; NaN where there is none. */
struct view {
    const char *heading;         /* of tables */
    const char *before, *behind; /* title of pictures: what stands there before and behind the figure's point */
    const char *format;          /* of a value, for printf */
    double low, high;            /* what the axis covers at least */
    bool (*is_column)(const struct ws_shown *shown, size_t point);
    double (*value)(const struct ws_shown *shown, size_t first, size_t column);
    double (*paper)(const struct ws_shown *shown, size_t column);
};

/* ---- Gains ---- */

/* One of the first variation, its baseline excepted. */
static bool has_gain(const struct ws_shown *shown, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    return strcmp(measures->variation[point], measures->variation[0]) == 0 && measures->base[point] != point;
}

static double gain(const struct ws_shown *shown, size_t first, size_t column)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t peer = ws_measures_peer(measures, ws_measures_name(measures, column), first);
    return peer < measures->points ? measures->geometric[peer] : (double)NAN;
}

static const struct view gains = {.heading = "mean gain, %",
                                  .before = "Mean IPC gain over the baseline of the same row, %; broken lines: the paper",
                                  .behind = "",
                                  .format = "%+.1f",
                                  .low = 0,
                                  .high = 1,
                                  .is_column = has_gain,
                                  .value = gain,
                                  .paper = ws_script_paper_gain};

/* ---- Speedups ---- */

static double speedup(const struct ws_shown *shown, size_t first, size_t column)
{
    const struct ws_measures *const measures = shown->measures;
    return ws_speedup_mean(measures, ws_shown_peer(shown, first),
                           ws_measures_peer(measures, ws_measures_name(measures, column), first));
}

static const struct view speedups = {.heading = "geo. mean speedup over",
                                     .before = "Geometric-mean speedup of ",
                                     .behind = " over others of the same row; broken lines: the paper",
                                     .format = "%.3f",
                                     .low = 0.98,
                                     .high = 1.02,
                                     .is_column = ws_shown_other,
                                     .value = speedup,
                                     .paper = ws_shown_paper_speedup};

/* ---- Improvements of applications ---- */

static double improvement(const struct ws_shown *shown, size_t first, size_t column)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t peer = ws_measures_peer(measures, ws_measures_name(measures, column), first);
    return peer < measures->points ? ws_improvement(shown->figure->paper, measures, "", peer, measures->base[peer]) : (double)NAN;
}

static double paper_improvement(const struct ws_shown *shown, size_t column)
{
    return ws_shown_paper_value(shown, WS_TARGET_improvement, column, "");
}

static const struct view improvements = {.heading = "mean improvement, %",
                                         .before = "Geometric-mean improvement over the baseline of the same row, %; broken "
                                                   "lines: the paper",
                                         .behind = "",
                                         .format = "%+.1f",
                                         .low = 0,
                                         .high = 1,
                                         .is_column = has_gain,
                                         .value = improvement,
                                         .paper = paper_improvement};

/* ---- Tables ---- */

static void fill(struct ws_grid *grid, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "%s", view->heading);
    for (size_t column = 0; column < measures->points; column++)
        if (view->is_column(shown, column))
            ws_grid_cell(grid, "%s", ws_measures_name(measures, column));
    ws_grid_end(grid);
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        ws_grid_cell(grid, "%s", measures->variation[point]);
        for (size_t column = 0; column < measures->points; column++)
            if (view->is_column(shown, column))
                ws_grid_number(grid, view->format, view->value(shown, point, column));
        ws_grid_end(grid);
    }
}

static void fill_gains(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &gains);
}

static void fill_speedups(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &speedups);
}

static void fill_improvements(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &improvements);
}

WS_GRID_TABLES(sensitivity, fill_gains)
WS_GRID_TABLES(variations, fill_speedups)
WS_GRID_TABLES(improvement_variations, fill_improvements)

/* ---- The picture ---- */

static void add_data(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    size_t row = 0;
    ws_text_add(text, "$gain << EOD\n");
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        ws_text_add(text, "%zu", row++);
        for (size_t column = 0; column < measures->points; column++)
            if (view->is_column(shown, column))
                ws_script_value(text, view->value(shown, point, column));
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

enum { ROOMY = 26 }; /* rows whose names are not small */

/* Names of the variations down the left, one row each; the range covers every value, the paper's too. */
static void add_axes(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    double low = view->low, high = view->high;
    size_t rows = 0;
    ws_text_add(text, "set ytics (");
    for (size_t point = 0; point < measures->points; point++) {
        if (!begins(measures, point))
            continue;
        for (size_t column = 0; column < measures->points; column++) {
            if (!view->is_column(shown, column))
                continue;
            const double ours = view->value(shown, point, column), paper = view->paper(shown, column);
            low = fmin(low, fmin(ours, paper)); /* fmin and fmax leave NaN out */
            high = fmax(high, fmax(ours, paper));
        }
        ws_text_add(text, "%s", rows > 0 ? ", " : "");
        ws_script_string(text, measures->variation[point], " ");
        ws_text_add(text, " %zu", rows++);
    }
    ws_text_add(text,
                ") nomirror scale 0 font \"DejaVu Sans,%d\"\nset yrange [%.1f:-0.7]\nset xrange [%.2f:%.2f]\n"
                "set xtics nomirror scale 0.5\nset grid xtics ytics lc rgb \"#e4e4e4\" lt 1\n",
                rows > ROOMY ? 8 : 11, (double)rows - 0.3, low < view->low ? low - 0.05 * (high - low) : view->low,
                high + 0.05 * (high - low));
}

static void add_paper_lines(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    size_t mark = 0;
    for (size_t column = 0; column < measures->points; column++) {
        if (!view->is_column(shown, column))
            continue;
        const double paper = view->paper(shown, column);
        if (isfinite(paper))
            ws_text_add(
                text,
                "set arrow from first %.3f, graph 0 to first %.3f, graph 1 nohead dashtype 2 linewidth 1.5 lc rgb \"%s\" back\n",
                paper, paper, marks[mark % MARKS].colour);
        mark++;
    }
}

static void add_panel(struct ws_text *text, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    struct ws_text title = {0};
    size_t mark = 0;
    ws_text_add(&title, "%s%s%s", view->before, shown->figure->point, view->behind);
    ws_text_add(text, "set title ");
    ws_script_string(text, title.failed ? "" : title.data, " ");
    ws_text_free(&title);
    ws_text_add(text, " font \"DejaVu Sans,12\" offset 0,1.6\n"
                      "set lmargin at screen 0.235; set rmargin at screen 0.975; set tmargin at screen 0.76; set bmargin at screen "
                      "0.075\n"
                      "set key at screen 0.605, screen 0.79 center horizontal maxrows 1 reverse Left samplen 1 font \"DejaVu "
                      "Sans,10\"\n");
    add_axes(text, shown, view);
    add_paper_lines(text, shown, view);
    ws_text_add(text, "plot ");
    for (size_t column = 0; column < measures->points; column++) {
        if (!view->is_column(shown, column))
            continue;
        ws_text_add(text, "%s$gain using %zu:1 with points pt %d ps 1.7 lc rgb \"%s\" title ", mark > 0 ? ", " : "", mark + 2,
                    marks[mark % MARKS].point, marks[mark % MARKS].colour);
        ws_script_string(text, ws_measures_name(measures, column), " ");
        mark++;
    }
    ws_text_add(text, "\nunset arrow\n");
}

/* ---- The kinds ---- */

#define SHOW(kind, view)                                                                                                           \
    void ws_data_##kind(struct ws_text *text, const struct ws_shown *shown)                                                        \
    {                                                                                                                              \
        add_data(text, shown, &(view));                                                                                            \
    }                                                                                                                              \
    void ws_panels_##kind(struct ws_text *text, const struct ws_shown *shown)                                                      \
    {                                                                                                                              \
        add_panel(text, shown, &(view));                                                                                           \
    }

SHOW(sensitivity, gains)
SHOW(variations, speedups)
SHOW(improvement_variations, improvements)
