/* Figures of rates: one share by workload and point, beside the paper's: use of the memory bus, misses of the data cache. */
#include <math.h>

#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"

/* What the kinds show. */
struct view {
    const char *heading; /* of tables */
    const char *title;   /* of pictures */
    double (*value)(const struct ws_shown *shown, size_t trace, size_t point);
    double (*paper)(const struct ws_shown *shown, size_t trace, size_t point);
};

static const char *name_trace(const struct ws_shown *shown, size_t trace)
{
    return shown->measures->trace[trace];
}

static double dram_use(const struct ws_shown *shown, size_t trace, size_t point)
{
    return 100 * shown->measures->dram_use[point * shown->measures->traces + trace];
}

static double paper_use(const struct ws_shown *shown, size_t trace, size_t point)
{
    return ws_shown_paper_value(shown, WS_TARGET_bandwidth, point, shown->measures->trace[trace]);
}

static double misses(const struct ws_shown *shown, size_t trace, size_t point)
{
    return 100 * shown->measures->misses[point * shown->measures->traces + trace];
}

static double paper_misses(const struct ws_shown *shown, size_t trace, size_t point)
{
    return ws_shown_paper_value(shown, WS_TARGET_misses, point, shown->measures->trace[trace]);
}

static const struct view uses = {.heading = "memory bus in use, % of cycles (paper's)",
                                 .title = "Cycles in which the memory bus is in use, %",
                                 .value = dram_use,
                                 .paper = paper_use};
static const struct view missed = {.heading = "lines that miss, % of loaded and stored (paper's)",
                                   .title = "Lines that miss the data cache, % of those loaded and stored",
                                   .value = misses,
                                   .paper = paper_misses};

/* ---- Tables ---- */

static void add_rate(struct ws_grid *grid, double ours, double paper)
{
    if (isfinite(ours) && isfinite(paper))
        ws_grid_cell(grid, "%.2f (%.2f)", ours, paper);
    else
        ws_grid_number(grid, "%.2f", ours);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "%s", view->heading);
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_grid_cell(grid, "%s", measures->trace[trace]);
    ws_grid_end(grid);
    for (size_t point = 0; point < measures->points; point++) {
        ws_grid_cell(grid, "%s", measures->point[point]);
        for (size_t trace = 0; trace < measures->traces; trace++)
            add_rate(grid, view->value(shown, trace, point), view->paper(shown, trace, point));
        ws_grid_end(grid);
    }
}

static void fill_bandwidth(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &uses);
}

static void fill_misses(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &missed);
}

WS_GRID_TABLES(bandwidth, fill_bandwidth)
WS_GRID_TABLES(misses, fill_misses)

/* ---- The picture ---- */

static struct ws_bars bars(const struct ws_shown *shown, const struct view *view)
{
    return (struct ws_bars){
        .title = view->title, .groups = shown->measures->traces, .group = name_trace, .value = view->value, .paper = view->paper};
}

WS_BARS_PICTURE(bandwidth, bars(shown, &uses))
WS_BARS_PICTURE(misses, bars(shown, &missed))
