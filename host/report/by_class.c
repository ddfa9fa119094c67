/* Figures of classes of applications (classes.def): rows are points, columns applications and the harmonic means of their classes,
 * as the paper has them and as simulated. The picture has bars of the first number. */
#include <math.h>
#include <string.h>

#include "report/applications.h"
#include "report/bars.h"
#include "report/classes.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/statistics.h"
#include "report/totals.h"

/* ---- Numbers ---- */

static double rate(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t sum, size_t over)
{
    return ws_application_sum(paper, measures, application, point, sum) /
           ws_application_sum(paper, measures, application, point, over);
}

#define RATE(name, scale, sum, over)                                                                                               \
    static double name(const char *paper, const struct ws_measures *measures, size_t application, size_t point)                    \
    {                                                                                                                              \
        return (scale)*rate(paper, measures, application, point, WS_SUM_##sum, WS_SUM_##over);                                     \
    }
RATE(lanes, 1, thread_instructions, issue_cycles)
RATE(hits, 1000, l1_load_hits, thread_instructions)
RATE(misses, 1000, l1_load_misses, thread_instructions)
RATE(merges, 1000, l1_merges, thread_instructions)
RATE(units, 1, issued_units, issue_cycles)
RATE(issuing, 100, issue_cycles, sm_cycles)

static double energy(const char *paper, const struct ws_measures *measures, size_t application, size_t point)
{
    return ws_application_energy(paper, measures, application, point, WS_ENERGY_PROFILE_gpuwattch322) /
           ws_application_energy(paper, measures, application, measures->base[point], WS_ENERGY_PROFILE_gpuwattch322);
}

/* ---- Kinds ---- */

struct view {
    const char *words; /* in the row's name, behind the point's; "" for none */
    const char *format;
    ws_application_number *value;
};

static const struct view of_classes[] = {{"", "%.2f", ws_application_performance}};
static const struct view of_sizes[] = {{"IPC over the baseline's", "%.2f", ws_application_performance},
                                       {"lanes of an issuing cycle", "%.1f", lanes}};
static const struct view of_locality[] = {{"hits", "%.1f", hits}, {"misses", "%.1f", misses}, {"merges", "%.1f", merges}};
static const struct view of_fetches[] = {{"", "%.2f", ws_application_fetches}};
static const struct view of_techniques[] = {
    {"IPC over the baseline's", "%.2f", ws_application_performance},
    {"warps or gangs of an issuing cycle", "%.2f", units},
    {"lanes of an issuing cycle", "%.1f", lanes},
    {"cycles that issue, %", "%.1f", issuing},
    {"fetches a cycle", "%.2f", ws_application_fetches},
    {"energy over the baseline's", "%.2f", energy},
};

struct kind {
    const char *heading, *title; /* of tables, of pictures */
    const struct view *view;
    size_t views;
    bool means_only; /* no columns of applications */
};

#define VIEWS(views) (views), sizeof(views) / sizeof *(views)
static const struct kind kinds[WS_FIGURE_KINDS] = {
    [WS_FIGURE_classes] = {"IPC over the baseline's (paper's)", "IPC over the baseline's", VIEWS(of_classes), false},
    [WS_FIGURE_class_means] = {"IPC over the baseline's (paper's)", "IPC over the baseline's, harmonic means", VIEWS(of_classes),
                               true},
    [WS_FIGURE_class_variations] = {"IPC over the baseline's (paper's)", "IPC over the baseline's, harmonic means",
                                    VIEWS(of_classes), true},
    [WS_FIGURE_sizes] = {"(paper's)", "IPC over the baseline's", VIEWS(of_sizes), false},
    [WS_FIGURE_locality] = {"lines of L1, per 1000 thread instructions",
                            "Loaded lines that hit in L1, per 1000 thread instructions", VIEWS(of_locality), false},
    [WS_FIGURE_fetches] = {"fetches a cycle", "Fetches a cycle", VIEWS(of_fetches), false},
    [WS_FIGURE_techniques] = {"(paper's)", "IPC over the baseline's, harmonic means", VIEWS(of_techniques), true},
};

static const struct kind *kind_of(const struct ws_shown *shown)
{
    return &kinds[shown->figure->kind];
}

/* ---- Columns: applications, then groups ---- */

static size_t applications(const struct ws_shown *shown)
{
    return kind_of(shown)->means_only ? 0 : ws_applications(shown->figure->paper, shown->measures);
}

static size_t columns(const struct ws_shown *shown)
{
    return applications(shown) + ws_class_groups(shown->figure->paper, shown->measures);
}

static const char *column_name(const struct ws_shown *shown, size_t column)
{
    const char *const paper = shown->figure->paper;
    const size_t count = applications(shown);
    return column < count ? ws_application_name(paper, shown->measures, ws_application_at(paper, shown->measures, column))
                          : ws_class_group_name(paper, shown->measures, column - count);
}

static double value(const struct ws_shown *shown, const struct view *view, size_t column, size_t point)
{
    const char *const paper = shown->figure->paper;
    const size_t count = applications(shown);
    return column < count ? view->value(paper, shown->measures, ws_application_at(paper, shown->measures, column), point)
                          : ws_class_mean(paper, shown->measures, column - count, view->value, point);
}

/* What the paper says of a class's performance over the baseline's. */
static double said(const struct ws_shown *shown, const struct view *view, size_t column, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t count = applications(shown), base = measures->base[point];
    for (size_t n = 0;
         view->value == ws_application_performance && column >= count && base < measures->points && n < shown->comparison_count;
         n++) {
        const struct ws_target *const target = shown->comparisons[n].target;
        const size_t group = *target->key ? ws_class_named(shown->figure->paper, measures, target->key) : 0;
        if ((target->kind != WS_TARGET_class_gain && target->kind != WS_TARGET_class_loss) || group != column - count ||
            strcmp(target->point, measures->point[point]) != 0 || strcmp(target->versus, measures->point[base]) != 0)
            continue;
        return 1 + (target->kind == WS_TARGET_class_gain ? target->value : -target->value) / 100;
    }
    return (double)NAN;
}

/* ---- Tables ---- */

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct kind *const kind = kind_of(shown);
    ws_grid_cell(grid, "%s", kind->heading);
    for (size_t column = 0; column < columns(shown); column++)
        ws_grid_cell(grid, "%s", column_name(shown, column));
    ws_grid_end(grid);
    for (const struct view *view = kind->view; view < kind->view + kind->views; view++)
        for (size_t point = 0; point < shown->measures->points; point++) {
            ws_grid_cell(grid, "%s%s%s", shown->measures->point[point], *view->words ? ", " : "", view->words);
            for (size_t column = 0; column < columns(shown); column++)
                ws_grid_beside(grid, view->format, value(shown, view, column, point), said(shown, view, column, point));
            ws_grid_end(grid);
        }
}

/* ---- Pictures ---- */

static double bar_value(const struct ws_shown *shown, size_t column, size_t point)
{
    return value(shown, kind_of(shown)->view, column, point);
}

static double bar_said(const struct ws_shown *shown, size_t column, size_t point)
{
    return said(shown, kind_of(shown)->view, column, point);
}

static struct ws_bars bars(const struct ws_shown *shown)
{
    return (struct ws_bars){
        .title = kind_of(shown)->title, .groups = columns(shown), .group = column_name, .value = bar_value, .paper = bar_said};
}

/* The other way round: groups are points, and bars classes. */
static const char *point_name(const struct ws_shown *shown, size_t point)
{
    return shown->measures->point[point];
}

static double class_value(const struct ws_shown *shown, size_t point, size_t column)
{
    return bar_value(shown, column, point);
}

static double class_said(const struct ws_shown *shown, size_t point, size_t column)
{
    return bar_said(shown, column, point);
}

static struct ws_bars class_bars(const struct ws_shown *shown)
{
    return (struct ws_bars){.title = kind_of(shown)->title,
                            .groups = shown->measures->points,
                            .group = point_name,
                            .bars = columns(shown),
                            .bar_name = column_name,
                            .value = class_value,
                            .paper = class_said};
}

#define SHOW(kind, bars)                                                                                                           \
    WS_GRID_TABLES(kind, fill)                                                                                                     \
    WS_BARS_PICTURE(kind, bars(shown))

SHOW(classes, bars)
SHOW(class_means, class_bars)
SHOW(class_variations, class_bars)
SHOW(sizes, bars)
SHOW(locality, bars)
SHOW(fetches, bars)
SHOW(techniques, class_bars)
