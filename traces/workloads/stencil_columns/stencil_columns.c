#include "workload.h"

#include <stdlib.h>

#include "base/error.h"

WORKLOAD(stencil_columns, "xiang2014", 8,
         "a step of the heat equation in three dimensions, a column a work-item (Xiang 2014, Table 2: Stencil)");

enum { BEFORE, AFTER, OWN, SIDE, WIDTH, HEIGHT, DEPTH, ARGUMENTS };

/* Work-items of a work-group, wider than the grid; of a thread, Table 2: 17408 a block. */
enum { WIDE = 512, HIGH = 2, REGISTERS = 17 };

static const struct {
    const char *source;
    i32 width, height, depth;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"stencil_columns:tiny", 128, 6, 6},
    [WS_SIZE_SMALL] = {"stencil_columns:small", 128, 128, 16},
    [WS_SIZE_PAPER] = {"stencil_columns:paper", 128, 128, 32},
};

static const float own = 0.5f, side = 0.25f;

static const double tolerance = 1e-6;

enum ws_status ws_stencil_columns_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    i32 width = inputs[size].width, height = inputs[size].height, depth = inputs[size].depth;
    float weights[] = {own, side};
    const u64 bytes = (u64)width * (u64)height * (u64)depth * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [BEFORE] = {WS_ARGUMENT_BUFFER, "before", bytes, NULL},
        [AFTER] = {WS_ARGUMENT_BUFFER, "after", bytes, NULL},
        [OWN] = {WS_ARGUMENT_SCALAR, "own", sizeof weights[0], &weights[0]},
        [SIDE] = {WS_ARGUMENT_SCALAR, "side", sizeof weights[1], &weights[1]},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [HEIGHT] = {WS_ARGUMENT_SCALAR, "height", sizeof height, &height},
        [DEPTH] = {WS_ARGUMENT_SCALAR, "depth", sizeof depth, &depth},
    };
    *launch = (struct ws_ndrange){.kernel = "stencil_columns",
                                  .source = inputs[size].source,
                                  .global = {WIDE, (u32)height, 1},
                                  .local = {WIDE, HIGH, 1},
                                  .registers = REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, BEFORE, 0.0f, 1.0f, &seed);
    return WS_STATUS_ok;
}

/* What one point inside gives to the one n further on. */
static void give(const float *before, double *after, i32 from, i32 to, float weight)
{
    after[to] += (double)weight * (double)before[from];
}

/* Each point gives to its neighbours; what the border has been given is dropped. */
static void step(const float *before, double *after, i32 width, i32 height, i32 depth)
{
    const i32 plane = width * height, ways[] = {1, -1, width, -width, plane, -plane};
    for (i32 n = 0; n < plane * depth; n++) {
        give(before, after, n, n, -own);
        for (u32 way = 0; way < 6; way++)
            if (n + ways[way] >= 0 && n + ways[way] < plane * depth)
                give(before, after, n, n + ways[way], side);
    }
    for (i32 n = 0; n < plane * depth; n++) {
        const i32 x = n % width, y = n / width % height, z = n / plane;
        if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 || z == depth - 1)
            after[n] = 0;
    }
}

enum ws_status ws_stencil_columns_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_stencil_columns_prepare(size, seed, &input, error));
    double *after = calloc(input.arguments[AFTER].bytes / sizeof(float), sizeof *after);
    enum ws_status status = after ? ws_launch_equal(launch, &input, BEFORE, sizeof(float), error)
                                  : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        step(input.arguments[BEFORE].data, after, inputs[size].width, inputs[size].height, inputs[size].depth);
        status = ws_launch_near(launch, AFTER, after, tolerance, error);
    }
    free(after);
    ws_launch_release(&input);
    return status;
}
