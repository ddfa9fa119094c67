#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(matmul, "narasiman2011", 9, "product of two integer matrices (Narasiman 2011, Table 2: matrix mult)");

#define ITEMS 1024u /* in one work-group */

enum { A, B, C, ROWS, DEPTH, COLUMNS, ARGUMENTS };

struct shape {
    const char *source;
    u32 rows, depth, columns;
};

/* paper is Table 2's; small takes 16 of its rows, so that B does not fit into the data cache here either. */
static const struct shape shapes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"matmul:tiny", 33, 4, 32},
    [WS_SIZE_SMALL] = {"matmul:small", 16, 256, 256},
    [WS_SIZE_PAPER] = {"matmul:paper", 256, 256, 256},
};

static void fill(struct ws_argument *matrix, u64 *random)
{
    i32 *values = matrix->data;
    for (u64 n = 0; n < matrix->bytes / sizeof *values; n++)
        values[n] = (i32)ws_random_range(random, 0, 200) - 100;
}

enum ws_status ws_matmul_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct shape shape = shapes[size];
    const struct ws_argument arguments[ARGUMENTS] = {
        [A] = {WS_ARGUMENT_BUFFER, "a", (u64)shape.rows * shape.depth * sizeof(i32), NULL},
        [B] = {WS_ARGUMENT_BUFFER, "b", (u64)shape.depth * shape.columns * sizeof(i32), NULL},
        [C] = {WS_ARGUMENT_BUFFER, "c", (u64)shape.rows * shape.columns * sizeof(i32), NULL},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof shape.rows, &shape.rows},
        [DEPTH] = {WS_ARGUMENT_SCALAR, "depth", sizeof shape.depth, &shape.depth},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "columns", sizeof shape.columns, &shape.columns},
    };
    *launch = (struct ws_ndrange){.kernel = "matmul", .source = shape.source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill(&launch->arguments[A], &seed);
    fill(&launch->arguments[B], &seed);
    return WS_STATUS_ok;
}

/* Row by row: adds to a row of C the rows of B, each times its element of A. */
static void multiply(struct ws_ndrange *launch, const struct shape *shape)
{
    const i32 *a = launch->arguments[A].data;
    const i32 *b = launch->arguments[B].data;
    i32 *c = launch->arguments[C].data;
    for (u32 row = 0; row < shape->rows; row++)
        for (u32 k = 0; k < shape->depth; k++)
            for (u32 column = 0; column < shape->columns; column++)
                c[row * shape->columns + column] += a[row * shape->depth + k] * b[k * shape->columns + column];
}

enum ws_status ws_matmul_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_matmul_prepare(size, seed, &expected, error));
    multiply(&expected, &shapes[size]);
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < ARGUMENTS && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &expected, n, sizeof(i32), error);
    ws_launch_release(&expected);
    return status;
}
