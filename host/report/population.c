/* Figures of a population: performance of every workload over its baseline's, in the order of the figure's point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/grid.h"
#include "report/kinds.h"

static const char *const colours[] = {"#2171b5", "#d55e00", "#525252", "#009e73"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* IPC over the baseline's. */
static double performance(const struct ws_measures *measures, size_t trace, size_t point)
{
    return measures->ratio[point * measures->traces + trace];
}

/* Traces that ended at every point, in order; to be freed. */
struct order {
    size_t count, *trace;
};

struct key {
    double performance;
    size_t trace;
};

static int compare(const void *a, const void *b)
{
    const struct key *const one = a, *const other = b;
    if (one->performance != other->performance)
        return one->performance < other->performance ? -1 : 1;
    return one->trace < other->trace ? -1 : 1;
}

static struct order order_of(const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_measures_point(measures, shown->figure->point);
    struct order order = {.trace = calloc(measures->traces + 1, sizeof *order.trace)};
    struct key *const keys = calloc(measures->traces + 1, sizeof *keys);
    for (size_t trace = 0; keys && order.trace && point < measures->points && trace < measures->traces; trace++)
        if (ws_measures_whole(measures, trace))
            keys[order.count++] = (struct key){performance(measures, trace, point), trace};
    if (keys)
        qsort(keys, order.count, sizeof *keys, compare);
    for (size_t n = 0; n < order.count; n++)
        order.trace[n] = keys[n].trace;
    free(keys);
    return order;
}

static bool has_column(const struct ws_measures *measures, size_t point)
{
    return measures->base[point] != point;
}

/* ---- Tables ---- */

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const struct order order = order_of(shown);
    ws_grid_cell(grid, "IPC over the baseline's");
    for (size_t point = 0; point < measures->points; point++)
        if (has_column(measures, point))
            ws_grid_cell(grid, "%s", measures->point[point]);
    ws_grid_end(grid);
    for (size_t n = 0; n < order.count; n++) {
        ws_grid_cell(grid, "%s", measures->trace[order.trace[n]]);
        for (size_t point = 0; point < measures->points; point++)
            if (has_column(measures, point))
                ws_grid_number(grid, "%.2f", performance(measures, order.trace[n], point));
        ws_grid_end(grid);
    }
    free(order.trace);
}

WS_GRID_TABLES(population, fill)

/* ---- The picture ---- */

void ws_data_population(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const struct order order = order_of(shown);
    ws_text_add(text, "$population << EOD\n");
    for (size_t n = 0; n < order.count; n++) {
        ws_text_add(text, "%zu", n);
        for (size_t point = 0; point < measures->points; point++)
            ws_script_value(text, performance(measures, order.trace[n], point));
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
    free(order.trace);
}

void ws_panels_population(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const struct order order = order_of(shown);
    size_t drawn = 0;
    free(order.trace);
    if (order.count == 0) {
        ws_script_nothing(text, "No workload ended at every point");
        return;
    }
    ws_text_add(
        text,
        "set title \"IPC over the baseline's\" font \"DejaVu Sans,12\" offset 0,2.8\n"
        "set lmargin at screen 0.055; set rmargin at screen 0.985; set tmargin at screen 0.72; set bmargin at screen 0.25\n"
        "set key at screen 0.52, screen 0.755 center horizontal maxrows 1 reverse Left samplen 1.5 font \"DejaVu Sans,10\"\n"
        "set xrange [-1:%zu]\nset yrange [0:*]\nset xtics auto norotate font \"DejaVu Sans,10\"\n"
        "set xlabel \"workloads and inputs\"\nplot ",
        order.count);
    for (size_t point = 0; point < measures->points; point++) {
        if (!has_column(measures, point))
            continue;
        ws_text_add(text, "%s$population using 1:%zu with linespoints pt 7 ps 0.4 lc rgb \"%s\" title ", drawn ? ", " : "",
                    point + 2, colours[drawn % COLOURS]);
        ws_script_string(text, measures->point[point], " ");
        drawn++;
    }
    ws_text_add(text, ", 1 with lines lc rgb \"#9a9a9a\" notitle\nunset xlabel\n");
}
