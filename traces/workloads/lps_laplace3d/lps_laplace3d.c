#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(lps_laplace3d, "anantpur2015", 4,
         "Jacobi step of Laplace's equation in three dimensions (Anantpur 2015, Table II: GPU_laplace3d)");

enum { FROM, TO, COLUMNS, ROWS, PLANES, PITCH, ARGUMENTS };

enum { WIDTH = 32, HEIGHT = 4 }; /* of a work-group */

/* Rows of the grid begin at multiples of this many points, as a line of 128 bytes. */
enum { ALIGNMENT = 32 };

static const struct {
    const char *source;
    u32 columns, rows, planes;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"lps_laplace3d:tiny", 40, 7, 5},
    [WS_SIZE_SMALL] = {"lps_laplace3d:small", 100, 28, 40},
    [WS_SIZE_PAPER] = {"lps_laplace3d:paper", 100, 100, 100},
};

/* Of values up to 1. */
static const double tolerance = 1e-6;

static u32 whole(u32 count, u32 part)
{
    return (count + part - 1) / part * part;
}

enum ws_status ws_lps_laplace3d_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 columns = inputs[size].columns, rows = inputs[size].rows, planes = inputs[size].planes;
    u32 pitch = whole(columns, ALIGNMENT);
    const u64 points = (u64)pitch * rows * planes, bytes = points * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [FROM] = {WS_ARGUMENT_BUFFER, "from", bytes, NULL},
        [TO] = {WS_ARGUMENT_BUFFER, "to", bytes, NULL},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "columns", sizeof columns, &columns},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof rows, &rows},
        [PLANES] = {WS_ARGUMENT_SCALAR, "planes", sizeof planes, &planes},
        [PITCH] = {WS_ARGUMENT_SCALAR, "pitch", sizeof pitch, &pitch},
    };
    *launch = (struct ws_ndrange){.kernel = "lps_laplace3d",
                                  .source = inputs[size].source,
                                  .global = {whole(columns, WIDTH), whole(rows, HEIGHT), 1},
                                  .local = {WIDTH, HEIGHT, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    float *from = launch->arguments[FROM].data;
    for (u64 n = 0; n < points; n++)
        from[n] = (float)ws_random_range(&seed, 0, 10000) / 10000.0f;
    return WS_STATUS_ok;
}

/* Whether a point is in the grid and not on its border; -1 is beyond, too. */
static bool is_inner(enum ws_size size, u32 column, u32 row, u32 plane)
{
    return column - 1 < inputs[size].columns - 2 && row - 1 < inputs[size].rows - 2 && plane - 1 < inputs[size].planes - 2;
}

/* Every point gives a sixth of its value to each inner neighbour. What no kernel writes, beyond the columns, stays 0. */
static void compute(enum ws_size size, const float *from, double *to)
{
    static const u32 ways[6][3] = {{1, 0, 0}, {UINT32_MAX, 0, 0}, {0, 1, 0}, {0, UINT32_MAX, 0}, {0, 0, 1}, {0, 0, UINT32_MAX}};
    const u64 pitch = whole(inputs[size].columns, ALIGNMENT), rows = inputs[size].rows;
    for (u32 k = 0; k < inputs[size].planes; k++)
        for (u32 j = 0; j < rows; j++)
            for (u32 i = 0; i < inputs[size].columns; i++) {
                const double value = (double)from[(k * rows + j) * pitch + i];
                if (!is_inner(size, i, j, k))
                    to[(k * rows + j) * pitch + i] = value;
                for (u32 n = 0; n < 6; n++) {
                    const u32 x = i + ways[n][0], y = j + ways[n][1], z = k + ways[n][2];
                    if (is_inner(size, x, y, z))
                        to[(z * rows + y) * pitch + x] += value / 6.0;
                }
            }
}

enum ws_status ws_lps_laplace3d_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_lps_laplace3d_prepare(size, seed, &input, error));
    double *to = calloc(input.arguments[TO].bytes / sizeof(float), sizeof *to);
    enum ws_status status = ws_launch_equal(launch, &input, FROM, sizeof(float), error);
    if (!to)
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        compute(size, input.arguments[FROM].data, to);
        status = ws_launch_near(launch, TO, to, tolerance, error);
    }
    free(to);
    ws_launch_release(&input);
    return status;
}
