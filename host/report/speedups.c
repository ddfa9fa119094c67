/* Figures of speedups: of the figure's point over each other one, by workload, with geometric means. */
#include <math.h>
#include <string.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/ratios.h"
#include "report/speedup.h"

/* ---- Tables ---- */

static void add_heads(struct ws_grid *grid, const struct ws_shown *shown)
{
    ws_grid_cell(grid, "speedup of %s over", shown->figure->point);
    for (size_t other = 0; other < shown->measures->points; other++)
        if (ws_shown_other(shown, other))
            ws_grid_cell(grid, "%s", shown->measures->point[other]);
    ws_grid_end(grid);
}

/* Below the workloads: their mean, how many gain much and lose, and the ends. */
typedef void summary_function(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other);

static void add_mean(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other)
{
    ws_grid_number(grid, "%.3f", ws_speedup_mean(measures, point, other));
}

static void add_above(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other)
{
    ws_grid_cell(grid, "%zu", ws_speedups_above(measures, point, other, 1.2));
}

static void add_below(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other)
{
    ws_grid_cell(grid, "%zu", ws_speedups_below(measures, point, other, 1 - WS_SPEEDUP_DRAW));
}

static void add_trace(struct ws_grid *grid, const struct ws_measures *measures, size_t trace)
{
    ws_grid_cell(grid, "%s", trace < measures->traces ? measures->trace[trace] : "-");
}

static void add_fastest(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other)
{
    add_trace(grid, measures, ws_speedup_largest(measures, point, other));
}

static void add_slowest(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t other)
{
    add_trace(grid, measures, ws_speedup_smallest(measures, point, other, 0));
}

static const struct {
    const char *words;
    summary_function *add;
} summaries[] = {
    {"geometric mean", add_mean}, {"workloads above 1.2", add_above}, {"workloads below 1", add_below},
    {"fastest", add_fastest},     {"slowest", add_slowest},
};

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_shown_point(shown);
    add_heads(grid, shown);
    for (size_t trace = 0; trace < measures->traces; trace++) {
        ws_grid_cell(grid, "%s", measures->trace[trace]);
        for (size_t other = 0; other < measures->points; other++)
            if (ws_shown_other(shown, other))
                ws_grid_number(grid, "%.3f", ws_speedup(measures, point, other, trace));
        ws_grid_end(grid);
    }
    for (size_t n = 0; n < sizeof summaries / sizeof *summaries; n++) {
        ws_grid_cell(grid, "%s", summaries[n].words);
        for (size_t other = 0; other < measures->points; other++)
            if (ws_shown_other(shown, other))
                summaries[n].add(grid, measures, point, other);
        ws_grid_end(grid);
    }
}

WS_GRID_TABLES(speedups, fill)

/* ---- The picture ---- */

/* Behind the workloads stands their mean. */
static const char *name(const struct ws_shown *shown, size_t trace)
{
    return trace < shown->measures->traces ? shown->measures->trace[trace] : "GEOMEAN";
}

static double ours(const struct ws_shown *shown, size_t trace, size_t other)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_shown_point(shown);
    return trace < measures->traces ? ws_speedup(measures, point, other, trace) : ws_speedup_mean(measures, point, other);
}

static double paper(const struct ws_shown *shown, size_t trace, size_t other)
{
    return trace < shown->measures->traces ? (double)NAN : ws_shown_paper_speedup(shown, other);
}

static struct ws_ratios bars(const struct ws_shown *shown, const char *title)
{
    return (struct ws_ratios){.title = title, .groups = shown->measures->traces + 1, .group = name, .ratio = ours, .paper = paper};
}

void ws_data_speedups(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_ratios ratios = bars(shown, "");
    ws_ratios_data(text, &ratios, shown);
}

void ws_panels_speedups(struct ws_text *text, const struct ws_shown *shown)
{
    struct ws_text title = {0};
    ws_text_add(&title, "Speedup of %s over", shown->figure->point);
    const struct ws_ratios ratios = bars(shown, title.failed ? "" : title.data);
    ws_ratios_panel(text, &ratios, shown);
    ws_text_free(&title);
}
