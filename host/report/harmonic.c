/* Figures of harmonic means: IPC by workload and its harmonic mean, absolute beside gains over the baseline, or as shares of the
 * machine's peak. */
#include <math.h>

#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/statistics.h"

/* ---- Values ---- */

static const char *group_name(const struct ws_shown *shown, size_t group)
{
    return group < shown->measures->traces ? shown->measures->trace[group] : "HARMEAN";
}

static double ipc(const struct ws_shown *shown, size_t group, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    return group < measures->traces ? measures->ipc[point * measures->traces + group] : ws_measures_harmonic(measures, point);
}

static double paper_ipc(const struct ws_shown *shown, size_t group, size_t point)
{
    return ws_shown_paper_value(shown, WS_TARGET_ipc, point, group < shown->measures->traces ? shown->measures->trace[group] : "");
}

static double share(const struct ws_shown *shown, size_t group, size_t point)
{
    return 100 * ipc(shown, group, point) / ws_measures_peak(shown->measures, point);
}

static double paper_share(const struct ws_shown *shown, size_t group, size_t point)
{
    return group < shown->measures->traces ? (double)NAN : ws_shown_paper_value(shown, WS_TARGET_utilisation, point, "");
}

/* What the two kinds show. */
struct view {
    const char *heading; /* of tables */
    const char *title;   /* of pictures */
    const char *format;
    double (*value)(const struct ws_shown *shown, size_t group, size_t point);
    double (*paper)(const struct ws_shown *shown, size_t group, size_t point);
    bool has_gains;
};

static const struct view absolute = {.heading = "IPC",
                                     .title = "IPC (thread instructions per cycle of all SMs) and its harmonic mean",
                                     .format = "%.2f",
                                     .value = ipc,
                                     .paper = paper_ipc,
                                     .has_gains = true};
static const struct view of_peak = {.heading = "IPC, % of the peak",
                                    .title = "IPC over the peak of the machine, %, and its harmonic mean",
                                    .format = "%.1f",
                                    .value = share,
                                    .paper = paper_share};

/* ---- Tables ---- */

static void add_gains(struct ws_grid *grid, const struct ws_measures *measures, size_t point)
{
    const size_t base = measures->base[point];
    const bool has = base != point && base < measures->points;
    ws_grid_number(grid, "%+.1f",
                   has ? ws_gain_percent(ws_measures_harmonic(measures, point) / ws_measures_harmonic(measures, base))
                       : (double)NAN);
    ws_grid_number(grid, "%+.1f", has ? measures->geometric[point] : (double)NAN);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown, const struct view *view)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "%s", view->heading);
    for (size_t trace = 0; trace < measures->traces; trace++)
        ws_grid_cell(grid, "%s", measures->trace[trace]);
    ws_grid_cell(grid, "harmonic mean");
    if (view->has_gains) {
        ws_grid_cell(grid, "its gain, %%");
        ws_grid_cell(grid, "geo. mean gain, %%");
    }
    ws_grid_end(grid);
    for (size_t point = 0; point < measures->points; point++) {
        ws_grid_cell(grid, "%s", measures->point[point]);
        for (size_t group = 0; group <= measures->traces; group++)
            ws_grid_number(grid, view->format, view->value(shown, group, point));
        if (view->has_gains)
            add_gains(grid, measures, point);
        ws_grid_end(grid);
    }
}

static void fill_harmonic(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &absolute);
}

static void fill_peak(struct ws_grid *grid, const struct ws_shown *shown)
{
    fill(grid, shown, &of_peak);
}

WS_GRID_TABLES(harmonic, fill_harmonic)
WS_GRID_TABLES(peak, fill_peak)

/* ---- The picture ---- */

static struct ws_bars bars(const struct ws_shown *shown, const struct view *view)
{
    return (struct ws_bars){.title = view->title,
                            .groups = shown->measures->traces + 1,
                            .group = group_name,
                            .value = view->value,
                            .paper = view->paper};
}

WS_BARS_PICTURE(harmonic, bars(shown, &absolute))
WS_BARS_PICTURE(peak, bars(shown, &of_peak))
