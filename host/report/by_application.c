/* Figures whose columns are applications, or workloads that belong to none, and whose rows are points: one number or several of
 * each, the paper's in brackets, and a mean. The picture has bars of the first number, or of all that have its unit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/applications.h"
#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/statistics.h"
#include "report/totals.h"

#define REWRITTEN "32" /* behind the name of an application: its work in blocks of one warp */

enum { NOT_SAID = -1 };
enum rows { EVERY, COMPARED, FIGURES }; /* all points, those that are not their own baseline, the figure's */
enum mean { NO_MEAN, OF_VALUES, OF_GAINS, OF_LOSSES };

/* A number of an application at a point. */
struct view {
    const char *words; /* in the row's name, behind the point's; "" for none */
    const char *format;
    enum rows rows;
    enum mean mean; /* geometric, of values, or of 1 + or 1 - values in percent */
    int kind;       /* of the paper's targets, with the application's name or "" as key, or NOT_SAID */
    double (*value)(const char *paper, const struct ws_measures *measures, size_t application, size_t point);
};

/* ---- Numbers ---- */

static double improvement(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_gain_percent(ws_application_speedup(paper, measures, application, point, measures->base[point]));
}

static double rewritten(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_gain_percent(ws_application_rewritten(paper, measures, application, REWRITTEN, point, measures->base[point]));
}

#define ALLOCATION(name, expression)                                                                                               \
    static double name(const char *paper, const struct ws_measures *measures, size_t application, size_t point)                    \
    {                                                                                                                              \
        struct ws_allocation given;                                                                                                \
        return ws_application_allocation(paper, measures, application, point, &given) ? (double)(expression) : (double)NAN;        \
    }
ALLOCATION(share, 100 * given.share)
ALLOCATION(unused, 100 * (1 - given.share))
ALLOCATION(block_warps, given.warps)
ALLOCATION(block_registers, given.registers)
ALLOCATION(blocks, given.blocks)
ALLOCATION(whole_warps, given.blocks *given.warps)
ALLOCATION(places, given.places)

#define WARPS(name)                                                                                                                \
    static double name(const char *paper, const struct ws_measures *measures, size_t application, size_t point)                    \
    {                                                                                                                              \
        return ws_application_warps(paper, measures, application, point, WS_SUM_##name);                                           \
    }
WARPS(resident_warps)
WARPS(held_warps)
WARPS(unissued_warps)

static double at_once(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    (void)paper;
    return ws_blocks_at_once(measures, application, point);
}

static double relative_time(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return 1 / ws_application_speedup(paper, measures, application, point, measures->base[point]);
}

/* ---- Kinds ---- */

static const struct view of_allocation[] = {
    {"registers given out, %", "%.1f", FIGURES, OF_VALUES, NOT_SAID, share},
    {"registers never used, %", "%.1f", FIGURES, OF_LOSSES, WS_TARGET_unused, unused},
    {"warps of a block", "%.0f", FIGURES, NO_MEAN, NOT_SAID, block_warps},
    {"registers of a block", "%.0f", FIGURES, NO_MEAN, NOT_SAID, block_registers},
    {"blocks on an SM", "%.0f", FIGURES, NO_MEAN, NOT_SAID, blocks},
    {"warps of these", "%.0f", FIGURES, NO_MEAN, NOT_SAID, whole_warps},
    {"warps that fit one by one", "%.0f", FIGURES, NO_MEAN, NOT_SAID, places},
    {"IPC of all SMs", "%.1f", FIGURES, NO_MEAN, WS_TARGET_application_ipc, ws_application_ipc},
};
static const struct view of_divergence[] = {
    {"", "%.1f", EVERY, OF_VALUES, WS_TARGET_divergence, ws_application_rtru},
    {"arithmetic mean of all blocks", "%.1f", EVERY, OF_VALUES, NOT_SAID, ws_application_rtru_arithmetic},
    {"blocks of 0, %", "%.1f", EVERY, NO_MEAN, NOT_SAID, ws_application_rtru_zeros},
};
static const struct view of_improvements[] = {
    {"", "%+.1f", COMPARED, OF_GAINS, WS_TARGET_improvement, improvement},
};
static const struct view of_places[] = {
    {"resident", "%.1f", EVERY, OF_VALUES, NOT_SAID, resident_warps},
    {"with places", "%.1f", EVERY, OF_VALUES, NOT_SAID, held_warps},
    {"unissued", "%.1f", EVERY, NO_MEAN, NOT_SAID, unissued_warps},
};
static const struct view of_contention[] = {
    {"accesses to a row", "%.2f", EVERY, NO_MEAN, WS_TARGET_row_accesses, ws_application_row_accesses},
    {"L1 misses, %", "%.1f", EVERY, NO_MEAN, WS_TARGET_application_misses, ws_application_misses},
};
static const struct view of_rewritten[] = {
    {"", "%+.1f", COMPARED, OF_GAINS, WS_TARGET_improvement, improvement},
    {"blocks of one warp", "%+.1f", EVERY, OF_GAINS, WS_TARGET_rewritten, rewritten},
};
static const struct view of_at_once[] = {
    {"blocks at once", "%.0f", EVERY, NO_MEAN, WS_TARGET_at_once, at_once},
    {"cycles", "%.0f", EVERY, NO_MEAN, NOT_SAID, ws_application_cycles},
    {"time over the baseline's", "%.3f", COMPARED, NO_MEAN, NOT_SAID, relative_time},
};

struct kind {
    const char *heading, *title; /* of tables, of pictures */
    const struct view *view;
    size_t views;
    size_t drawn; /* of the views, from the first */
    bool pairs;   /* columns are applications that have their work in blocks of one warp beside them */
};

#define VIEWS(views) (views), sizeof(views) / sizeof *(views), 1
#define DRAWN(views) (views), sizeof(views) / sizeof *(views), sizeof(views) / sizeof *(views)
static const struct kind kinds[WS_FIGURE_KINDS] = {
    [WS_FIGURE_allocation] = {"dispatch by blocks (paper's)", "Registers given out, %", VIEWS(of_allocation), false},
    [WS_FIGURE_divergence] = {"RTRU of blocks, %: geometric mean of those above 0 (paper's)", "RTRU of thread blocks, %",
                              VIEWS(of_divergence), false},
    [WS_FIGURE_improvements] = {"improvement, % (paper's)", "Improvement over dispatch by blocks, %", VIEWS(of_improvements),
                                false},
    [WS_FIGURE_places] = {"warps of an SM in its mean cycle", "Resident warps of an SM in its mean cycle", VIEWS(of_places), false},
    [WS_FIGURE_contention] = {"memory (paper's)", "Accesses to a row for each activation", VIEWS(of_contention), false},
    [WS_FIGURE_rewritten] = {"improvement, % (paper's)", "Improvement over dispatch by blocks, %", DRAWN(of_rewritten), true},
    [WS_FIGURE_at_once] = {"first SM (paper's)", "Thread blocks on the first SM at once", VIEWS(of_at_once), false},
};

static const struct kind *kind_of(const struct ws_shown *shown)
{
    return &kinds[shown->figure->kind];
}

/* ---- Columns and rows ---- */

static bool is_column(const struct ws_shown *shown, size_t trace)
{
    const char *const paper = shown->figure->paper;
    if (ws_application(paper, shown->measures, trace) != trace)
        return false;
    return !kind_of(shown)->pairs || ws_application_paired(paper, shown->measures, trace, REWRITTEN) < shown->measures->traces;
}

static size_t columns(const struct ws_shown *shown)
{
    size_t count = 0;
    for (size_t trace = 0; trace < shown->measures->traces; trace++)
        count += is_column(shown, trace);
    return count;
}

/* The first trace of the application in a column; behind the last one, measures->traces. */
static size_t column_at(const struct ws_shown *shown, size_t column)
{
    size_t trace = 0;
    for (; trace < shown->measures->traces; trace++)
        if (is_column(shown, trace) && column-- == 0)
            break;
    return trace;
}

static bool is_row(const struct ws_shown *shown, const struct view *view, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    if (view->rows == FIGURES)
        return strcmp(measures->point[point], shown->figure->point) == 0;
    return view->rows == EVERY || measures->base[point] != point;
}

static double value(const struct ws_shown *shown, const struct view *view, size_t trace, size_t point)
{
    return view->value(shown->figure->paper, shown->measures, trace, point);
}

static double mean(const struct ws_shown *shown, const struct view *view, size_t point)
{
    struct ws_mean ratios = {0};
    if (view->mean == NO_MEAN)
        return (double)NAN;
    for (size_t trace = 0; trace < shown->measures->traces; trace++) {
        const double own = is_column(shown, trace) ? value(shown, view, trace, point) : (double)NAN;
        ws_mean_add(&ratios, view->mean == OF_VALUES ? own : view->mean == OF_GAINS ? 1 + own / 100 : 1 - own / 100);
    }
    const double geometric = ws_mean_geometric(&ratios);
    if (view->mean == OF_VALUES)
        return geometric;
    return view->mean == OF_GAINS ? ws_gain_percent(geometric) : -ws_gain_percent(geometric);
}

/* What the paper says of it in this figure; of the mean for measures->traces. */
static double said(const struct ws_shown *shown, const struct view *view, size_t trace, size_t point)
{
    const char *const key =
        trace < shown->measures->traces ? ws_application_name(shown->figure->paper, shown->measures, trace) : "";
    for (size_t n = 0; view->kind != NOT_SAID && n < shown->comparison_count; n++) {
        const struct ws_target *const target = shown->comparisons[n].target;
        if ((int)target->kind == view->kind && strcmp(target->point, shown->measures->point[point]) == 0 &&
            strcmp(target->key, key) == 0)
            return target->value;
    }
    return (double)NAN;
}

/* ---- Tables ---- */

static bool has_means(const struct kind *kind)
{
    bool any = false;
    for (size_t n = 0; n < kind->views; n++)
        any = any || kind->view[n].mean != NO_MEAN;
    return any;
}

static void add_row(struct ws_grid *grid, const struct ws_shown *shown, const struct view *view, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    if (view->rows == FIGURES)
        ws_grid_cell(grid, "%s", view->words);
    else
        ws_grid_cell(grid, "%s%s%s", measures->point[point], *view->words ? ", " : "", view->words);
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (is_column(shown, trace))
            ws_grid_beside(grid, view->format, value(shown, view, trace, point), said(shown, view, trace, point));
    if (has_means(kind_of(shown)))
        ws_grid_beside(grid, view->format, mean(shown, view, point), said(shown, view, measures->traces, point));
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const struct kind *const kind = kind_of(shown);
    ws_grid_cell(grid, "%s", kind->heading);
    for (size_t trace = 0; trace < measures->traces; trace++)
        if (is_column(shown, trace))
            ws_grid_cell(grid, "%s", ws_application_name(shown->figure->paper, measures, trace));
    if (has_means(kind))
        ws_grid_cell(grid, "geometric mean");
    ws_grid_end(grid);
    for (const struct view *view = kind->view; view < kind->view + kind->views; view++)
        for (size_t point = 0; point < measures->points; point++)
            if (is_row(shown, view, point))
                add_row(grid, shown, view, point);
}

/* ---- Pictures ---- */

static const char *bar_group(const struct ws_shown *shown, size_t group)
{
    const size_t trace = column_at(shown, group);
    return trace < shown->measures->traces ? ws_application_name(shown->figure->paper, shown->measures, trace) : "GEOMEAN";
}

/* Bars are the points of the first view, then those of the next. */
static const struct view *bar_view(const struct ws_shown *shown, size_t bar)
{
    return kind_of(shown)->view + bar / shown->measures->points;
}

static size_t bar_point(const struct ws_shown *shown, size_t bar)
{
    return bar % shown->measures->points;
}

/* Valid until the next call in the same thread. */
static const char *bar_name(const struct ws_shown *shown, size_t bar)
{
    static _Thread_local char name[128];
    const char *const words = bar_view(shown, bar)->words, *const point = shown->measures->point[bar_point(shown, bar)];
    if (kind_of(shown)->drawn == 1 || !*words)
        return point;
    snprintf(name, sizeof name, "%s, %s", point, words);
    return name;
}

static bool has_bar(const struct ws_shown *shown, size_t bar)
{
    return is_row(shown, bar_view(shown, bar), bar_point(shown, bar));
}

static double bar_value(const struct ws_shown *shown, size_t group, size_t bar)
{
    const size_t trace = column_at(shown, group), point = bar_point(shown, bar);
    return trace < shown->measures->traces ? value(shown, bar_view(shown, bar), trace, point)
                                           : mean(shown, bar_view(shown, bar), point);
}

static double bar_said(const struct ws_shown *shown, size_t group, size_t bar)
{
    return said(shown, bar_view(shown, bar), column_at(shown, group), bar_point(shown, bar));
}

static struct ws_bars bars(const struct ws_shown *shown)
{
    return (struct ws_bars){.title = kind_of(shown)->title,
                            .groups = columns(shown) + (kind_of(shown)->view->mean != NO_MEAN),
                            .group = bar_group,
                            .bars = kind_of(shown)->drawn * shown->measures->points,
                            .bar_name = bar_name,
                            .bar = has_bar,
                            .value = bar_value,
                            .paper = bar_said};
}

#define SHOW(kind)                                                                                                                 \
    WS_GRID_TABLES(kind, fill)                                                                                                     \
    WS_BARS_PICTURE(kind, bars(shown))

SHOW(allocation)
SHOW(divergence)
SHOW(improvements)
SHOW(places)
SHOW(contention)
SHOW(rewritten)
SHOW(at_once)
