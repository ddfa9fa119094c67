/* Figures of limits: issue slots and cycles with the best reconvergence points beside those with immediate post-dominators, by
 * workload. */
#include "warpsweep/limit.h"

#include <math.h>

#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"

static const struct ws_limits *limits_of(const struct ws_shown *shown)
{
    static const struct ws_limits none;
    return shown->measures->limits ? shown->measures->limits : &none;
}

/* ---- Tables ---- */

static void add_heads(struct ws_grid *grid)
{
    static const char *const heads[] = {"first threads of", "threads",      "slots, PDOM",    "slots, oracle", "slots, at least",
                                        "speedup in slots", "cycles, PDOM", "cycles, oracle", "speedup"};
    for (size_t n = 0; n < sizeof heads / sizeof *heads; n++)
        ws_grid_cell(grid, "%s", heads[n]);
    ws_grid_end(grid);
}

static void add_row(struct ws_grid *grid, const struct ws_limit *limit, double speedup)
{
    const double pdom = (double)limit->total.pdom, oracle = (double)limit->total.oracle;
    ws_grid_cell(grid, "%u", limit->total.threads);
    ws_grid_number(grid, "%.0f", pdom);
    ws_grid_number(grid, "%.0f", oracle);
    ws_grid_number(grid, "%.0f", (double)limit->total.least);
    ws_grid_number(grid, "%.3f", pdom / oracle);
    ws_grid_number(grid, "%.0f", (double)limit->pdom_cycles);
    ws_grid_number(grid, "%.0f", (double)limit->oracle_cycles);
    ws_grid_number(grid, "%.3f", speedup);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_limits *const limits = limits_of(shown);
    add_heads(grid);
    for (size_t trace = 0; trace < limits->count; trace++) {
        ws_grid_cell(grid, "%s", shown->measures->trace[trace]);
        add_row(grid, &limits->limit[trace], ws_limits_speedup(limits, trace));
        ws_grid_end(grid);
    }
    ws_grid_cell(grid, "harmonic mean of IPC, real programs");
    for (size_t blank = 0; blank < 7; blank++)
        ws_grid_cell(grid, " ");
    ws_grid_number(grid, "%.3f", ws_measures_limit(shown->measures, shown->figure->paper));
    ws_grid_end(grid);
}

WS_GRID_TABLES(limit, fill)

/* ---- The picture ---- */

static const char *name(const struct ws_shown *shown, size_t trace)
{
    return trace < shown->measures->traces ? shown->measures->trace[trace] : "real programs";
}

static bool is_first(const struct ws_shown *shown, size_t point)
{
    (void)shown;
    return point == 0;
}

static double gain(const struct ws_shown *shown, size_t trace, size_t point)
{
    const struct ws_measures *const measures = shown->measures;
    (void)point;
    return trace < measures->traces ? ws_limits_speedup(limits_of(shown), trace)
                                    : ws_measures_limit(measures, shown->figure->paper);
}

static double paper(const struct ws_shown *shown, size_t trace, size_t point)
{
    const bool all = trace == shown->measures->traces;
    const double percent = ws_shown_paper_value(shown, all ? WS_TARGET_oracle_mean : WS_TARGET_oracle, point,
                                                all ? "" : shown->measures->trace[trace]);
    return 1 + percent / 100;
}

WS_BARS_PICTURE(limit, ((struct ws_bars){.title = "Speedup of the best reconvergence points over immediate post-dominators",
                                         .groups = shown->measures->traces + 1,
                                         .group = name,
                                         .name = "best reconvergence points",
                                         .bar = is_first,
                                         .value = gain,
                                         .paper = paper}))
