/* Figures of stalls: of what kinds the lost issue slots are, by application, at every point. */
#include <math.h>

#include "report/applications.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/stacked.h"
#include "report/statistics.h"

static const char *const words[] = {
#define STALL(name, words, colour) words,
#include "report/stalls.def"
#undef STALL
};

static const char *const colours[] = {
#define STALL(name, words, colour) colour,
#include "report/stalls.def"
#undef STALL
};

static const char *application(const struct ws_shown *shown, size_t trace)
{
    return ws_application(shown->figure->paper, shown->measures, trace) == trace
               ? ws_application_name(shown->figure->paper, shown->measures, trace)
               : NULL;
}

static double share(const struct ws_shown *shown, size_t trace, size_t point, size_t stall)
{
    return 100 * ws_application_stalls(shown->figure->paper, shown->measures, trace, point, stall) /
           ws_application_stalls(shown->figure->paper, shown->measures, trace, point, WS_STALL_total);
}

/* ---- Tables ---- */

/* Arithmetic mean over the applications, of ours or of the paper's shares. */
static double mean(const struct ws_shown *shown, size_t point, size_t stall, bool paper)
{
    double sum = 0;
    size_t count = 0;
    for (size_t trace = 0; trace < shown->measures->traces; trace++) {
        const double value =
            !application(shown, trace) ? (double)NAN
            : paper ? ws_paper_share(shown->figure->paper, shown->measures, trace, shown->measures->point[point], stall)
                    : share(shown, trace, point, stall);
        sum += isfinite(value) ? value : 0;
        count += isfinite(value);
    }
    return count > 0 ? sum / (double)count : (double)NAN;
}

static void add_mean(struct ws_grid *grid, const struct ws_shown *shown, bool paper)
{
    ws_grid_cell(grid, paper ? "mean, paper" : "mean");
    for (size_t point = 0; point < shown->measures->points; point++)
        for (size_t stall = 0; stall < WS_STALL_total; stall++)
            ws_grid_number(grid, "%.1f", mean(shown, point, stall, paper));
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "share of lost issue slots, %%");
    for (size_t point = 0; point < measures->points; point++)
        for (size_t stall = 0; stall < WS_STALL_total; stall++)
            ws_grid_cell(grid, "%s %s", measures->point[point], words[stall]);
    ws_grid_end(grid);
    for (size_t trace = 0; trace < measures->traces; trace++) {
        if (!application(shown, trace))
            continue;
        ws_grid_cell(grid, "%s", application(shown, trace));
        for (size_t point = 0; point < measures->points; point++)
            for (size_t stall = 0; stall < WS_STALL_total; stall++)
                ws_grid_number(grid, "%.1f", share(shown, trace, point, stall));
        ws_grid_end(grid);
    }
    add_mean(grid, shown, false);
    add_mean(grid, shown, true);
}

WS_GRID_TABLES(stalls, fill)

/* ---- The picture ---- */

static struct ws_stacked stack(const struct ws_shown *shown)
{
    return (struct ws_stacked){.block = "stalls",
                               .groups = shown->measures->traces,
                               .end_bar = shown->measures->points,
                               .classes = WS_STALL_total,
                               .words = words,
                               .colours = colours,
                               .group = application,
                               .share = share};
}

void ws_data_stalls(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_stacked stacked = stack(shown);
    ws_stacked_data(text, &stacked, shown);
}

void ws_panels_stalls(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_stacked stacked = stack(shown);
    struct ws_text title = {0};
    ws_text_add(&title, "Lost issue slots by kind, %%");
    ws_stacked_add_bars(&title, &stacked, shown, "workload");
    ws_stacked_panel(text, &stacked, shown, title.failed ? "" : title.data);
    ws_text_free(&title);
}
