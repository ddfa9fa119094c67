#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(pathfinder_dynproc, "anantpur2015", 16,
         "cheapest paths down a grid (Anantpur and Govindarajan 2015, Table II: pathfinder dynproc_kernel)");

#define ITEMS 256u /* in a work-group */

enum { WALL, BEFORE, AFTER, COLUMNS, ROWS, ARGUMENTS };

static const struct {
    const char *source;
    u32 columns, rows;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"pathfinder_dynproc:tiny", 400, 4},
    [WS_SIZE_SMALL] = {"pathfinder_dynproc:small", 8600, 20},
    [WS_SIZE_PAPER] = {"pathfinder_dynproc:paper", 100 * 1000, 20},
};

enum ws_status ws_pathfinder_dynproc_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 columns = inputs[size].columns, rows = inputs[size].rows;
    const u32 right = ITEMS - 2 * rows; /* columns of a work-group */
    const u32 groups = (columns + right - 1) / right;
    const u64 bytes = (u64)columns * sizeof(u32);
    const struct ws_argument arguments[ARGUMENTS] = {
        [WALL] = {WS_ARGUMENT_BUFFER, "wall", rows * bytes, NULL},
        [BEFORE] = {WS_ARGUMENT_BUFFER, "before", bytes, NULL},
        [AFTER] = {WS_ARGUMENT_BUFFER, "after", bytes, NULL},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "columns", sizeof columns, &columns},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof rows, &rows},
    };
    *launch = (struct ws_ndrange){
        .kernel = "pathfinder_dynproc", .source = inputs[size].source, .global = {ITEMS * groups, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    for (u32 n = WALL; n <= BEFORE; n++) {
        u32 *cost = launch->arguments[n].data;
        for (u64 cell = 0; cell < launch->arguments[n].bytes / sizeof *cost; cell++)
            cost[cell] = ws_random_range(&seed, 0, 9);
    }
    return WS_STATUS_ok;
}

/* One row of the whole grid, in place: diagonal is what stood above and to the left. */
static void descend(u32 *row, const u32 *wall, u32 columns)
{
    u32 diagonal = row[0];
    for (u32 column = 0; column < columns; column++) {
        const u32 above = row[column];
        u32 cheapest = ws_min(diagonal, above);
        if (column + 1 < columns)
            cheapest = ws_min(cheapest, row[column + 1]);
        row[column] = cheapest + wall[column];
        diagonal = above;
    }
}

enum ws_status ws_pathfinder_dynproc_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 columns = inputs[size].columns;
    struct ws_ndrange expected;
    WS_TRY(ws_pathfinder_dynproc_prepare(size, seed, &expected, error));
    const u32 *wall = expected.arguments[WALL].data, *before = expected.arguments[BEFORE].data;
    u32 *after = expected.arguments[AFTER].data;
    for (u32 column = 0; column < columns; column++)
        after[column] = before[column];
    for (u32 row = 0; row < inputs[size].rows; row++)
        descend(after, wall + (u64)row * columns, columns);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
