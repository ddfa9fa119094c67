/* Figures of blocks: from when to when each thread block is on the first SM, for the first workload, at every point. */
#include "report/grid.h"
#include "report/kinds.h"

enum { ROWS = 40, PANELS = 4, MOST_TICS = 12 }; /* rows and panels: of tables and pictures, the first ones */

static const struct ws_block_span *find(const struct ws_measures *measures, size_t point, u32 block)
{
    for (size_t n = 0; n < measures->spans; n++)
        if (measures->span[n].point == point && measures->span[n].trace == 0 && measures->span[n].block == block)
            return &measures->span[n];
    return NULL;
}

/* Blocks on the SM, at the point that has the most: all have the same, unless some have failed. */
static u32 count_blocks(const struct ws_measures *measures)
{
    u32 count = 0;
    for (size_t n = 0; n < measures->spans; n++)
        if (measures->span[n].trace == 0 && measures->span[n].block >= count)
            count = measures->span[n].block + 1;
    return count;
}

/* ---- Tables ---- */

static void add_span(struct ws_grid *grid, const struct ws_block_span *span)
{
    static const char none[] = "-";
    if (!span) {
        ws_grid_cell(grid, none);
        ws_grid_cell(grid, none);
        ws_grid_cell(grid, none);
        return;
    }
    ws_grid_number(grid, "%.0f", (double)span->entered);
    ws_grid_number(grid, "%.0f", (double)span->ended);
    ws_grid_number(grid, "%.0f", (double)(span->ended - span->entered));
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const u32 blocks = count_blocks(measures);
    ws_grid_cell(grid, "block");
    for (size_t point = 0; point < measures->points; point++) {
        ws_grid_cell(grid, "%s enters", measures->point[point]);
        ws_grid_cell(grid, "ends");
        ws_grid_cell(grid, "cycles");
    }
    ws_grid_end(grid);
    for (u32 block = 0; block < blocks && block < ROWS; block++) {
        ws_grid_cell(grid, "%u", block);
        for (size_t point = 0; point < measures->points; point++)
            add_span(grid, find(measures, point, block));
        ws_grid_end(grid);
    }
    if (blocks > ROWS) {
        ws_grid_cell(grid, "... %u", blocks - 1);
        for (size_t point = 0; point < measures->points; point++)
            add_span(grid, find(measures, point, blocks - 1));
        ws_grid_end(grid);
    }
}

WS_GRID_TABLES(blocks, fill)

/* ---- The picture ---- */

static size_t count_panels(const struct ws_measures *measures)
{
    return measures->points < PANELS ? measures->points : PANELS;
}

void ws_data_blocks(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    for (size_t point = 0; point < count_panels(measures); point++) {
        ws_text_add(text, "$blocks%zu << EOD\n", point);
        for (size_t n = 0; n < measures->spans; n++) {
            const struct ws_block_span *const span = &measures->span[n];
            if (span->point == point && span->trace == 0)
                ws_text_add(text, "%u %llu %llu\n", span->block, (unsigned long long)span->entered,
                            (unsigned long long)span->ended);
        }
        ws_text_add(text, "EOD\n");
    }
}

static bool has_span(const struct ws_measures *measures, size_t point)
{
    for (size_t n = 0; n < measures->spans; n++)
        if (measures->span[n].point == point && measures->span[n].trace == 0)
            return true;
    return false;
}

void ws_panels_blocks(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const double width = 0.92 / (double)count_panels(measures);
    u64 most = 1;
    if (count_blocks(measures) == 0) {
        ws_script_nothing(text, "No times of blocks: the experiment asks for none, or its jobs have failed");
        return;
    }
    for (size_t n = 0; n < measures->spans; n++)
        most = measures->span[n].trace == 0 && measures->span[n].ended > most ? measures->span[n].ended : most;
    ws_text_add(text,
                "set tmargin at screen 0.76; set bmargin at screen 0.25\nunset key\nset yrange [0:%.0f]\nset xrange [-0.7:%.1f]\n"
                "set xtics %u scale 0 norotate font \"DejaVu Sans,10\"\nset xlabel \"thread block, as it enters the SM\"\n"
                "set ylabel \"cycle\" offset 1,0\n",
                1.03 * (double)most, count_blocks(measures) - 0.3, 1 + count_blocks(measures) / MOST_TICS);
    for (size_t point = 0; point < count_panels(measures); point++) {
        if (!has_span(measures, point))
            continue;
        ws_text_add(text, "set lmargin at screen %.4f; set rmargin at screen %.4f\nset title ", 0.075 + (double)point * width,
                    0.075 + (double)(point + 1) * width - 0.065);
        ws_script_string(text, measures->point[point], " ");
        ws_text_add(text,
                    " font \"DejaVu Sans,12\" offset 0,0\n"
                    "plot $blocks%zu using 1:2:($1-0.38):($1+0.38):2:3 with boxxyerror lc rgb \"#2171b5\" notitle\n"
                    "unset label\nunset ylabel\n",
                    point);
    }
    ws_text_add(text, "unset xlabel\n");
}
