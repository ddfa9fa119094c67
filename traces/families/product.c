#include "families/product.h"

#include <stdlib.h>

#include "base/error.h"
#include "workload.h"

enum { A, B, C, DEPTH, COLUMNS, STACK, ARGUMENTS };

enum { SIDE = 16, MOST_ITEMS = SIDE * SIDE }; /* of a tile; of a work-group */

/* Of sums of at most 160 products of at most 1. */
static const double tolerance = 1e-5;

enum ws_status ws_product_prepare(const struct ws_product *product, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct ws_product shape = *product;
    const u32 elements = shape.rows * shape.columns, items = ws_min(elements, MOST_ITEMS);
    const struct ws_argument arguments[ARGUMENTS] = {
        [A] = {WS_ARGUMENT_BUFFER, "a", (u64)shape.rows * shape.depth * sizeof(float), NULL},
        [B] = {WS_ARGUMENT_BUFFER, "b", (u64)shape.depth * shape.columns * sizeof(float), NULL},
        [C] = {WS_ARGUMENT_BUFFER, "c", (u64)elements * sizeof(float), NULL},
        [DEPTH] = {WS_ARGUMENT_SCALAR, "depth", sizeof shape.depth, &shape.depth},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "columns", sizeof shape.columns, &shape.columns},
        [STACK] = {WS_ARGUMENT_BUFFER, "stack", (u64)elements * shape.frame * sizeof(u32), NULL},
    };
    *launch = (struct ws_ndrange){
        .kernel = shape.kernel, .source = shape.source, .global = {shape.columns, shape.rows, 1}, .local = {SIDE, SIDE, 1}};
    if (shape.frame) {
        launch->global[0] = elements, launch->global[1] = 1;
        launch->local[0] = items, launch->local[1] = 1;
    }
    WS_TRY(ws_launch_arguments(launch, arguments, shape.frame ? ARGUMENTS : STACK, error));
    ws_launch_random(launch, A, -1.0f, 1.0f, &seed);
    ws_launch_random(launch, B, -1.0f, 1.0f, &seed);
    return WS_STATUS_ok;
}

/* Row by row: adds to a row of C the rows of B, each times its element of A. */
static void multiply(const struct ws_ndrange *input, const struct ws_product *shape, double *c)
{
    const float *a = input->arguments[A].data, *b = input->arguments[B].data;
    for (u32 row = 0; row < shape->rows; row++)
        for (u32 k = 0; k < shape->depth; k++)
            for (u32 column = 0; column < shape->columns; column++)
                c[row * shape->columns + column] += (double)a[row * shape->depth + k] * (double)b[k * shape->columns + column];
}

enum ws_status ws_product_check(const struct ws_product *product, const struct ws_ndrange *launch, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_product_prepare(product, seed, &input, error));
    double *c = calloc((size_t)product->rows * product->columns, sizeof *c);
    enum ws_status status = c ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    for (u32 n = A; n <= B && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &input, n, sizeof(float), error);
    if (status == WS_STATUS_ok) {
        multiply(&input, product, c);
        status = ws_launch_near(launch, C, c, tolerance, error);
    }
    free(c);
    ws_launch_release(&input);
    return status;
}
