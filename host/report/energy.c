/* Figures of energy: what points save against their baseline, with every profile, the same without the static part, and how large
 * that is. */
#include <math.h>

#include "report/applications.h"
#include "report/bars.h"
#include "report/grid.h"
#include "report/kinds.h"
#include "report/saved.h"
#include "report/totals.h"

/* ---- Values: of an application, or behind them of all ---- */

typedef double value_function(const struct ws_shown *shown, size_t group, size_t point, enum ws_energy_profile profile);

static size_t applications(const struct ws_shown *shown)
{
    return ws_applications(shown->figure->paper, shown->measures);
}

static double saved(const struct ws_shown *shown, size_t group, size_t point, enum ws_energy_profile profile, bool dynamic)
{
    const char *const paper = shown->figure->paper;
    const struct ws_measures *const measures = shown->measures;
    return group < applications(shown)
               ? ws_saved(paper, measures, ws_application_at(paper, measures, group), point, profile, dynamic)
               : ws_saved_mean(paper, measures, point, profile, dynamic);
}

static double all_saved(const struct ws_shown *shown, size_t group, size_t point, enum ws_energy_profile profile)
{
    return saved(shown, group, point, profile, false);
}

static double dynamic_saved(const struct ws_shown *shown, size_t group, size_t point, enum ws_energy_profile profile)
{
    return saved(shown, group, point, profile, true);
}

static double static_share(const struct ws_shown *shown, size_t group, size_t point, enum ws_energy_profile profile)
{
    const char *const paper = shown->figure->paper;
    const struct ws_measures *const measures = shown->measures;
    return group < applications(shown) ? ws_static_share(paper, measures, ws_application_at(paper, measures, group), point, profile)
                                       : ws_static_share_mean(paper, measures, point, profile);
}

static const char *group_name(const struct ws_shown *shown, size_t group)
{
    const char *const paper = shown->figure->paper;
    const struct ws_measures *const measures = shown->measures;
    return group < applications(shown) ? ws_application_name(paper, measures, ws_application_at(paper, measures, group)) : "MEAN";
}

static double paper(const struct ws_shown *shown, size_t group, size_t point)
{
    return ws_shown_paper_value(shown, WS_TARGET_saved, point, group < applications(shown) ? group_name(shown, group) : "");
}

static bool is_base(const struct ws_shown *shown, size_t point)
{
    for (size_t n = 0; n < shown->measures->points; n++)
        if (shown->measures->base[n] == point)
            return true;
    return false;
}

static bool has_base(const struct ws_shown *shown, size_t point)
{
    return shown->measures->base[point] < shown->measures->points && shown->measures->base[point] != point;
}

/* ---- Tables: blocks of rows, of each point that is in a block a row for every profile ---- */

static const struct block {
    const char *words;
    value_function *value;
    bool (*has)(const struct ws_shown *shown, size_t point);
    bool paper_says; /* which is given in brackets */
} blocks[] = {
    {"energy saved, %", all_saved, has_base, true},
    {"dynamic energy saved, %", dynamic_saved, has_base, false},
    {"static share, %", static_share, is_base, false},
};

/* What differs by rounding only is 0, without a sign. */
static void add_value(struct ws_grid *grid, double ours, double theirs)
{
    if (fabs(ours) < 0.05)
        ours = 0;
    if (isfinite(ours) && isfinite(theirs))
        ws_grid_cell(grid, "%.1f (%.1f)", ours, theirs);
    else
        ws_grid_number(grid, "%.1f", ours);
}

static void add_row(struct ws_grid *grid, const struct ws_shown *shown, const struct block *block, size_t point,
                    enum ws_energy_profile profile)
{
    ws_grid_cell(grid, "%s: %s, %s", block->words, shown->measures->point[point], ws_energy_profile_names[profile]);
    for (size_t group = 0; group <= applications(shown); group++)
        add_value(grid, block->value(shown, group, point, profile), block->paper_says ? paper(shown, group, point) : (double)NAN);
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    ws_grid_cell(grid, "energy (paper's)");
    for (size_t group = 0; group < applications(shown); group++)
        ws_grid_cell(grid, "%s", group_name(shown, group));
    ws_grid_cell(grid, "mean");
    ws_grid_end(grid);
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++)
        for (size_t point = 0; point < measures->points; point++)
            for (enum ws_energy_profile profile = 0; blocks[n].has(shown, point) && profile < WS_ENERGY_PROFILES; profile++)
                add_row(grid, shown, &blocks[n], point, profile);
}

WS_GRID_TABLES(energy, fill)

/* ---- The picture: the default profile ---- */

static double bar(const struct ws_shown *shown, size_t group, size_t point)
{
    return all_saved(shown, group, point, 0);
}

static struct ws_bars bars(const struct ws_shown *shown)
{
    return (struct ws_bars){.title = "Energy saved against the baseline, %",
                            .groups = applications(shown) + 1,
                            .group = group_name,
                            .bar = has_base,
                            .value = bar,
                            .paper = paper};
}

WS_BARS_PICTURE(energy, bars(shown))
