/* Figures of lanes: of each workload's issue slots, how many issue with 0, 1, 2, ... active lanes and how many are lost, by point.
 * As Fung et al., MICRO 2007, Figure 16, has it: W0 are the slots without an active lane, "stall" those in which a warp was ready
 * but memory in the way. */
#include "report/grid.h"
#include "report/kinds.h"
#include "report/stacked.h"
#include "report/use.h"

enum { STALL, CLASSES = WS_USES + 1 }; /* the stall, then the classes of use */

static double stalled(const struct ws_measures *measures, size_t cell)
{
    return 100 * measures->lost[cell][WS_STALL_pipeline];
}

/* Slots without an active lane, stalls aside. */
static double idle(const struct ws_measures *measures, size_t cell)
{
    return 100 * measures->use[cell][WS_USE_none] - stalled(measures, cell);
}

/* ---- Tables ---- */

static u32 most_lanes(const struct ws_measures *measures)
{
    u32 most = 0;
    for (size_t point = 0; point < measures->points; point++)
        most = measures->dimensions[point].lanes > most ? measures->dimensions[point].lanes : most;
    return most;
}

static void add_row(struct ws_grid *grid, const struct ws_measures *measures, size_t point, size_t trace, u32 most)
{
    const size_t cell = point * measures->traces + trace;
    ws_grid_cell(grid, "%s %s", measures->trace[trace], measures->point[point]);
    ws_grid_number(grid, "%.1f", idle(measures, cell));
    for (u32 n = 1; n <= most; n++)
        ws_grid_number(grid, "%.1f", 100 * measures->lanes[cell][n]);
    ws_grid_number(grid, "%.1f", stalled(measures, cell));
    ws_grid_end(grid);
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const u32 most = most_lanes(measures);
    ws_grid_cell(grid, "%% of issue slots");
    for (u32 n = 0; n <= most; n++)
        ws_grid_cell(grid, "W%u", n);
    ws_grid_cell(grid, "stall");
    ws_grid_end(grid);
    for (size_t trace = 0; trace < measures->traces; trace++)
        for (size_t point = 0; point < measures->points; point++)
            add_row(grid, measures, point, trace, most);
}

WS_GRID_TABLES(lanes, fill)

/* ---- The picture ---- */

static const char *name_trace(const struct ws_shown *shown, size_t trace)
{
    return shown->measures->trace[trace];
}

static double share(const struct ws_shown *shown, size_t trace, size_t point, size_t class)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t cell = point * measures->traces + trace;
    if (class == STALL)
        return stalled(measures, cell);
    return class - 1 == WS_USE_none ? idle(measures, cell) : 100 * measures->use[cell][class - 1];
}

/* Words and colours of the classes, and the bars made of them. */
struct picture {
    struct ws_use_words use;
    const char *words[CLASSES], *colours[CLASSES];
    struct ws_stacked stacked;
};

static void make_picture(struct picture *picture, const struct ws_shown *shown)
{
    ws_use_words(&picture->use, shown->measures);
    picture->words[STALL] = "stall";
    picture->colours[STALL] = "#d55e00";
    for (size_t use = 0; use < WS_USES; use++) {
        picture->words[use + 1] = picture->use.words[use];
        picture->colours[use + 1] = ws_use_colours[use];
    }
    picture->stacked = (struct ws_stacked){.block = "lanes",
                                           .groups = shown->measures->traces,
                                           .end_bar = shown->measures->points,
                                           .classes = CLASSES,
                                           .words = picture->words,
                                           .colours = picture->colours,
                                           .group = name_trace,
                                           .share = share};
}

void ws_data_lanes(struct ws_text *text, const struct ws_shown *shown)
{
    struct picture picture;
    make_picture(&picture, shown);
    ws_stacked_data(text, &picture.stacked, shown);
}

void ws_panels_lanes(struct ws_text *text, const struct ws_shown *shown)
{
    struct picture picture;
    struct ws_text title = {0};
    make_picture(&picture, shown);
    ws_text_add(&title, "Issue slots by active lanes, %%");
    ws_stacked_add_bars(&title, &picture.stacked, shown, "workload");
    ws_stacked_panel(text, &picture.stacked, shown, title.failed ? "" : title.data);
    ws_text_free(&title);
}
