/* Figures of lifetimes: from when to when the warps of a thread block are on their SM, and its RTRU, at the figure's point. */
#include <math.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/warps.h"

static struct ws_warps warps_of(const struct ws_shown *shown)
{
    const struct ws_figure *const figure = shown->figure;
    return ws_warps_of(shown->measures, figure->paper, figure->name, ws_warps_point(shown->measures, figure));
}

/* Says which block it is, and of which the input has none. */
static void add_block(struct ws_text *text, const struct ws_warps *warps)
{
    ws_text_add(text, "block %u of %s", warps->block, warps->workload);
    if (warps->block != warps->wanted)
        ws_text_add(text, " (there is no block %u)", warps->wanted);
}

/* ---- Tables ---- */

static void add_warp(struct ws_grid *grid, const struct ws_warp_life *life, double longest)
{
    const double cycles = (double)ws_warp_cycles(life);
    ws_grid_cell(grid, "%u", life->warp);
    ws_grid_number(grid, "%.0f", (double)life->entered);
    ws_grid_number(grid, "%.0f", (double)life->ended);
    ws_grid_number(grid, "%.0f", cycles);
    ws_grid_number(grid, "%.1f", 100 * (longest - cycles) / longest);
    ws_grid_end(grid);
}

static void fill_lifetimes(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_warps warps = warps_of(shown);
    const double longest = ws_warps_longest(&warps), rtru = ws_warps_rtru(&warps);
    struct ws_text block = {0};
    add_block(&block, &warps);
    ws_grid_cell(grid, "warp of %s", block.failed ? "" : block.data);
    ws_text_free(&block);
    ws_grid_cell(grid, "enters");
    ws_grid_cell(grid, "ends");
    ws_grid_cell(grid, "cycles");
    ws_grid_cell(grid, "unused, %%");
    ws_grid_end(grid);
    for (size_t n = 0; n < warps.one_count; n++)
        add_warp(grid, &warps.one[n], longest);
    ws_grid_cell(grid, "mean, RTRU");
    ws_grid_number(grid, "%.0f", (double)NAN);
    ws_grid_number(grid, "%.0f", (double)NAN);
    ws_grid_number(grid, "%.0f", longest * (1 - rtru / 100));
    ws_grid_number(grid, "%.1f", rtru);
    ws_grid_end(grid);
}

WS_GRID_TABLES(lifetimes, fill_lifetimes)

/* ---- The picture ---- */

void ws_data_lifetimes(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_warps warps = warps_of(shown);
    ws_text_add(text, "$warps << EOD\n");
    for (size_t n = 0; n < warps.one_count; n++)
        ws_text_add(text, "%u %llu %llu\n", warps.one[n].warp, (unsigned long long)warps.one[n].entered,
                    (unsigned long long)warps.one[n].ended);
    ws_text_add(text, "EOD\n");
}

void ws_panels_lifetimes(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_warps warps = warps_of(shown);
    struct ws_text title = {0};
    if (warps.one_count == 0) {
        ws_script_nothing(text, "No times of warps: the experiment asks for none, or its jobs have failed");
        return;
    }
    add_block(&title, &warps);
    ws_text_add(&title, ": RTRU %.1f %%", ws_warps_rtru(&warps));
    ws_text_add(text, "set title ");
    ws_script_string(text, title.failed ? "" : title.data, " ");
    ws_text_free(&title);
    ws_text_add(text,
                " font \"DejaVu Sans,12\" offset 0,0\n"
                "set lmargin at screen 0.075; set rmargin at screen 0.975; set tmargin at screen 0.76; set bmargin at screen 0.25\n"
                "unset key\nset yrange [%.1f:-0.7]\nset xrange [*:*]\nset xlabel \"cycle\"\nset ylabel \"warp\" offset 1,0\n"
                "set ytics 1 scale 0 font \"DejaVu Sans,%u\"\n"
                "plot $warps using 2:1:2:3:($1-0.38):($1+0.38) with boxxyerror lc rgb \"#2171b5\" notitle\n"
                "unset xlabel\nunset ylabel\n",
                (double)warps.one_count - 0.3, warps.one_count > 16 ? 6 : 10);
}
