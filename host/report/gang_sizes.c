/* Figures of gang sizes: warps on the first SM over time, by members of their gangs, on each workload at the figure's point. */
#include <math.h>

#include "report/grid.h"
#include "report/kinds.h"

enum { ROWS = 16, PANELS = 2 }; /* of a workload's table; pictures have the first workloads */

/* From single warps, light, to whole gangs, black, as the paper has them. */
static const char *const shades[WS_GANG_MEMBERS + 1] = {"",        "#deebf7", "#c6dbef", "#9ecae1", "#6baed6",
                                                        "#4292c6", "#2171b5", "#08519c", "#000000"};

static const struct ws_gangs *gangs_of(const struct ws_shown *shown)
{
    static const struct ws_gangs none;
    return shown->measures->gangs ? shown->measures->gangs : &none;
}

/* Bins that the run reaches. */
static u32 bins_of(const struct ws_gang_run *run)
{
    return run->bin_cycles ? (u32)((run->cycles + run->bin_cycles - 1) / run->bin_cycles) : 0;
}

/* ---- Tables ---- */

static void add_row(struct ws_grid *grid, const char *name, const struct ws_gang_run *run, u32 from, u32 until)
{
    ws_grid_cell(grid, "%s from %llu", name, (unsigned long long)(from * run->bin_cycles));
    for (u32 members = 1; members <= WS_GANG_MEMBERS; members++)
        ws_grid_number(grid, "%.1f", ws_gang_warps(run, from, until, members));
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_gangs *const gangs = gangs_of(shown);
    ws_grid_cell(grid, "warps by members of their gangs");
    for (u32 members = 1; members <= WS_GANG_MEMBERS; members++)
        ws_grid_cell(grid, members == 1 ? "single" : "%u", members);
    ws_grid_end(grid);
    for (size_t trace = 0; trace < gangs->count; trace++) {
        const u32 bins = bins_of(&gangs->run[trace]), rows = bins < ROWS ? bins : ROWS;
        for (u32 row = 0; row < rows; row++)
            add_row(grid, shown->measures->trace[trace], &gangs->run[trace], row * bins / rows, (row + 1) * bins / rows);
    }
}

WS_GRID_TABLES(gang_sizes, fill)

/* ---- The picture ---- */

/* A block a workload: of each bin its first cycle, then warps in gangs of 8, of 7 and 8, and so on. */
void ws_data_gang_sizes(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_gangs *const gangs = gangs_of(shown);
    for (size_t trace = 0; trace < gangs->count && trace < PANELS; trace++) {
        const struct ws_gang_run *const run = &gangs->run[trace];
        ws_text_add(text, "$gangs%zu << EOD\n", trace);
        for (u32 bin = 0; bin < bins_of(run); bin++) {
            double sum = 0;
            ws_text_add(text, "%llu", (unsigned long long)(bin * run->bin_cycles));
            for (u32 members = WS_GANG_MEMBERS; members > 0; members--) {
                sum += ws_gang_warps(run, bin, bin + 1, members);
                ws_script_value(text, sum);
            }
            ws_text_add(text, "\n");
        }
        ws_text_add(text, "EOD\n");
    }
}

static void add_panel(struct ws_text *text, const struct ws_shown *shown, size_t trace, size_t panels)
{
    const double width = 0.94 / (double)panels;
    ws_text_add(text, "set lmargin at screen %.4f; set rmargin at screen %.4f\nset title ", 0.055 + (double)trace * width,
                0.055 + (double)(trace + 1) * width - 0.06);
    ws_script_string(text, shown->measures->trace[trace], " ");
    ws_text_add(text, " font \"DejaVu Sans,12\" offset 0,0\nplot ");
    for (u32 members = 1; members <= WS_GANG_MEMBERS; members++) /* the highest first, so that lower ones lie over it */
        ws_text_add(text, "%s$gangs%zu using 1:%u with fillsteps lc rgb \"%s\" title \"%u\"", members > 1 ? ", " : "", trace,
                    WS_GANG_MEMBERS + 2 - members, shades[members], members);
    ws_text_add(text, "\nunset key\n");
}

void ws_panels_gang_sizes(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_gangs *const gangs = gangs_of(shown);
    const size_t panels = gangs->count < PANELS ? gangs->count : PANELS;
    if (panels == 0) {
        ws_script_nothing(text, "No gangs were recorded");
        return;
    }
    ws_text_add(text,
                "set tmargin at screen 0.70; set bmargin at screen 0.25\n"
                "set key at screen 0.52, screen 0.80 center horizontal maxrows 1 reverse Left samplen 1 font \"DejaVu Sans,10\" "
                "title \"warps by members of their gang\"\n"
                "set style fill solid 1 noborder\nset xrange [0:*]\nset yrange [0:*]\nset xtics auto norotate\n"
                "set xlabel \"cycle\"\n");
    for (size_t trace = 0; trace < panels; trace++)
        add_panel(text, shown, trace, panels);
    ws_text_add(text, "unset xlabel\n");
}
