/* Figures of order: the places of the thread blocks of the first SM at each sort, for the first workload, at the figure's point. */
#include "report/order.h"

#include <stdint.h>

#include "report/grid.h"
#include "report/kinds.h"
#include "report/speedup.h"

enum { SORTS = 32 }; /* shown, the first ones */

struct ws_sort ws_sort_next(const struct ws_measures *measures, size_t point, struct ws_sort before)
{
    struct ws_sort sort = {before.end, before.end};
    const struct ws_block_rank *const rank = measures->rank;
    while (sort.first < measures->ranks && (rank[sort.first].point != point || rank[sort.first].trace != 0))
        sort.first++;
    for (sort.end = sort.first; sort.end < measures->ranks && rank[sort.end].point == point && rank[sort.end].trace == 0 &&
                                rank[sort.end].cycle == rank[sort.first].cycle;)
        sort.end++;
    return sort;
}

static bool is_empty(struct ws_sort sort)
{
    return sort.first == sort.end;
}

/* The place of a block in a sort from its first row; sort.end when it is not there. */
static size_t row_of(const struct ws_measures *measures, struct ws_sort sort, u32 block)
{
    size_t row = sort.first;
    while (row < sort.end && measures->rank[row].block != block)
        row++;
    return row;
}

bool ws_sorts_differ(const struct ws_measures *measures, struct ws_sort first, struct ws_sort before, struct ws_sort after)
{
    size_t last = after.first;
    for (size_t row = before.first; row < before.end; row++) {
        const u32 block = measures->rank[row].block;
        const size_t next = row_of(measures, after, block);
        if (next == after.end || row_of(measures, first, block) == first.end)
            continue;
        if (next < last)
            return true;
        last = next;
    }
    return false;
}

size_t ws_order_changes(const struct ws_measures *measures, size_t point, size_t sorts)
{
    const struct ws_sort first = ws_sort_next(measures, point, (struct ws_sort){0});
    size_t changes = 0;
    if (is_empty(first))
        return SIZE_MAX;
    struct ws_sort before = first;
    for (size_t n = 1; n < sorts; n++) {
        const struct ws_sort after = ws_sort_next(measures, point, before);
        if (is_empty(after))
            break;
        changes += ws_sorts_differ(measures, first, before, after);
        before = after;
    }
    return changes;
}

/* ---- Tables ---- */

/* The most places of a sort that is shown. */
static size_t count_places(const struct ws_measures *measures, size_t point)
{
    struct ws_sort sort = {0};
    size_t most = 0;
    for (size_t n = 0; n < SORTS; n++) {
        sort = ws_sort_next(measures, point, sort);
        most = sort.end - sort.first > most ? sort.end - sort.first : most;
    }
    return most;
}

static void fill(struct ws_grid *grid, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_shown_point(shown), places = count_places(measures, point);
    ws_grid_cell(grid, "cycle");
    for (size_t place = 0; place < places; place++)
        ws_grid_cell(grid, "%zu", place + 1);
    ws_grid_end(grid);
    struct ws_sort sort = ws_sort_next(measures, point, (struct ws_sort){0});
    for (size_t n = 0; n < SORTS && !is_empty(sort); n++, sort = ws_sort_next(measures, point, sort)) {
        ws_grid_number(grid, "%.0f", (double)measures->rank[sort.first].cycle);
        for (size_t place = 0; place < places; place++) {
            if (sort.first + place < sort.end)
                ws_grid_cell(grid, "%u", measures->rank[sort.first + place].block);
            else
                ws_grid_cell(grid, "%s", "");
        }
        ws_grid_end(grid);
    }
}

WS_GRID_TABLES(order, fill)

/* ---- The picture ---- */

/* Blocks up to the highest number in a sort that is shown. */
static u32 count_blocks(const struct ws_measures *measures, size_t point)
{
    struct ws_sort sort = ws_sort_next(measures, point, (struct ws_sort){0});
    u32 blocks = 0;
    for (size_t n = 0; n < SORTS && !is_empty(sort); n++, sort = ws_sort_next(measures, point, sort))
        for (size_t row = sort.first; row < sort.end; row++)
            blocks = measures->rank[row].block >= blocks ? measures->rank[row].block + 1 : blocks;
    return blocks;
}

/* Of each sort a row: its cycle, then the place of each block. */
void ws_data_order(struct ws_text *text, const struct ws_shown *shown)
{
    const struct ws_measures *const measures = shown->measures;
    const size_t point = ws_shown_point(shown);
    const u32 blocks = count_blocks(measures, point);
    struct ws_sort sort = ws_sort_next(measures, point, (struct ws_sort){0});
    ws_text_add(text, "$order << EOD\n");
    for (size_t n = 0; n < SORTS && !is_empty(sort); n++, sort = ws_sort_next(measures, point, sort)) {
        ws_text_add(text, "%llu", (unsigned long long)measures->rank[sort.first].cycle);
        for (u32 block = 0; block < blocks; block++) {
            const size_t row = row_of(measures, sort, block);
            if (row < sort.end)
                ws_text_add(text, " %zu", row - sort.first + 1);
            else
                ws_text_add(text, " ?");
        }
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "EOD\n");
}

void ws_panels_order(struct ws_text *text, const struct ws_shown *shown)
{
    static const char *const colours[] = {"#08306b", "#d55e00", "#009e73", "#56b4e9", "#cc79a7", "#7f7f7f"};
    enum { COLOURS = sizeof colours / sizeof *colours };
    const size_t point = ws_shown_point(shown);
    const u32 blocks = count_blocks(shown->measures, point);
    if (blocks == 0) {
        ws_script_nothing(text, "No order of blocks: the experiment records none, or its jobs have failed");
        return;
    }
    ws_text_add(
        text,
        "set title \"Place of each thread block by cycle of the sort, 1 is first\" font \"DejaVu Sans,12\" offset 0,0\n"
        "set lmargin at screen 0.055; set rmargin at screen 0.88; set tmargin at screen 0.8; set bmargin at screen 0.22\n"
        "set key at screen 0.99, screen 0.8 right top vertical maxrows 20 samplen 2 font \"DejaVu Sans,9\" title \"block\"\n"
        "set yrange [%zu.5:0.5]\nset xrange [*:*]\nset xtics autofreq scale 0.5 norotate font \"DejaVu Sans,10\"\n"
        "set ytics 1\nplot ",
        count_places(shown->measures, point));
    for (u32 block = 0; block < blocks; block++)
        ws_text_add(text, "%s$order using 1:%u with linespoints lw 2 pt 7 ps 0.6 dt %u lc rgb \"%s\" title \"%u\"",
                    block > 0 ? ", " : "", block + 2, 1 + block / COLOURS, colours[block % COLOURS], block);
    ws_text_add(text, "\nset key notitle\nset ytics autofreq\n");
}
