#include "workload.h"

#include <stdlib.h>

#include "base/error.h"

WORKLOAD(lu, "fung2007", 6, "blocked LU factorisation, blocks owned by threads, a barrier twice a step (Fung 2007: LU)");

enum { MATRICES, BLOCKS, SIDE, ACROSS, STACK, ARGUMENTS };

enum { FRAME = 16 }; /* words of a work-item's stack */

/* A work-group is a square of across x across items and has a matrix of blocks x blocks blocks of side x side elements. */
struct shape {
    const char *source;
    u32 groups, blocks, side, across;
};

static const struct shape shapes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"lu:tiny", 2, 4, 4, 4},
    [WS_SIZE_SMALL] = {"lu:small", 24, 8, 4, 8},
    [WS_SIZE_PAPER] = {"lu:paper", 32, 8, 4, 8},
};

/* Of elements up to 33. */
static const double tolerance = 2e-5;

static u32 edge_of(const struct shape *shape)
{
    return shape->blocks * shape->side;
}

/* Where an element lies in its matrix: blocks, and in them elements, column by column. */
static u32 place(const struct shape *shape, u32 row, u32 column)
{
    const u32 side = shape->side, block = column / side * shape->blocks + row / side;
    return (block * side + column % side) * side + row % side;
}

/* Elements up to 1, those on the diagonal more than all others of their row together: no pivot is needed. */
enum ws_status ws_lu_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct shape shape = shapes[size];
    const u32 edge = edge_of(&shape), items = shape.across * shape.across;
    const u64 elements = (u64)shape.groups * edge * edge;
    const struct ws_argument arguments[ARGUMENTS] = {
        [MATRICES] = {WS_ARGUMENT_BUFFER, "matrices", elements * sizeof(float), NULL},
        [BLOCKS] = {WS_ARGUMENT_SCALAR, "blocks", sizeof shape.blocks, &shape.blocks},
        [SIDE] = {WS_ARGUMENT_SCALAR, "side", sizeof shape.side, &shape.side},
        [ACROSS] = {WS_ARGUMENT_SCALAR, "across", sizeof shape.across, &shape.across},
        [STACK] = {WS_ARGUMENT_BUFFER, "stack", (u64)shape.groups * items * FRAME * sizeof(u32), NULL},
    };
    *launch =
        (struct ws_ndrange){.kernel = "lu", .source = shape.source, .global = {shape.groups * items, 1, 1}, .local = {items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, MATRICES, -1.0f, 1.0f, &seed);
    float *matrix = launch->arguments[MATRICES].data;
    for (u32 group = 0; group < shape.groups; group++, matrix += (size_t)edge * edge)
        for (u32 n = 0; n < edge; n++)
            matrix[place(&shape, n, n)] += (float)edge;
    return WS_STATUS_ok;
}

/* An element of L times U. */
static double product(const struct shape *shape, const float *factors, u32 row, u32 column)
{
    double sum = row <= column ? (double)factors[place(shape, row, column)] : 0.0;
    for (u32 k = 0; k < row && k <= column; k++)
        sum += (double)factors[place(shape, row, k)] * (double)factors[place(shape, k, column)];
    return sum;
}

/* The factors found are multiplied: that must give the matrices again, and only one pair of factors does. */
enum ws_status ws_lu_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const struct shape *const shape = &shapes[size];
    const u32 edge = edge_of(shape), elements = edge * edge;
    struct ws_ndrange again;
    WS_TRY(ws_lu_prepare(size, seed, &again, error));
    float *matrices = again.arguments[MATRICES].data;
    const float *factors = launch->arguments[MATRICES].data;
    double *given = malloc((size_t)shape->groups * elements * sizeof *given);
    enum ws_status status = given ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (given) {
        for (u32 n = 0; n < shape->groups * elements; n++)
            given[n] = (double)matrices[n];
        for (u32 n = 0; n < shape->groups * elements; n++) {
            const u32 row = n % elements / edge, column = n % edge, first = n - n % elements;
            matrices[first + place(shape, row, column)] = (float)product(shape, factors + first, row, column);
        }
        status = ws_launch_near(&again, MATRICES, given, tolerance, error);
    }
    free(given);
    ws_launch_release(&again);
    return status;
}
