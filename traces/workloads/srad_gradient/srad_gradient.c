#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "families/srad.h"

WORKLOAD(srad_gradient, "xiang2014", 7, "coefficients of speckle reducing diffusion (Xiang 2014, Table 2: SRad)");

enum { IMAGE, DIFFERENCES, COEFFICIENTS, NORTH, SOUTH, WEST, EAST, SPECKLE, ROWS, COUNT, ARGUMENTS };

static const struct {
    const char *source;
    i32 rows, columns;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"srad_gradient:tiny", 30, 30},
    [WS_SIZE_SMALL] = {"srad_gradient:small", 200, 458},
    [WS_SIZE_PAPER] = {"srad_gradient:paper", WS_SRAD_ROWS, WS_SRAD_COLUMNS},
};

/* A coefficient is steep where its denominator is near 0; approximate divisions. */
static const double tolerances[ARGUMENTS] = {[DIFFERENCES] = 1e-6, [COEFFICIENTS] = 2e-4};

static const float speckle = 0.05f;

enum ws_status ws_srad_gradient_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    i32 rows = inputs[size].rows, columns = inputs[size].columns, count = rows * columns;
    float variation = speckle;
    const u32 groups = ((u32)count + WS_SRAD_ITEMS - 1) / WS_SRAD_ITEMS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [IMAGE] = {WS_ARGUMENT_BUFFER, "image", (u32)count * sizeof(float), NULL},
        [DIFFERENCES] = {WS_ARGUMENT_BUFFER, "differences", (u32)count * 4 * sizeof(float), NULL},
        [COEFFICIENTS] = {WS_ARGUMENT_BUFFER, "coefficients", (u32)count * sizeof(float), NULL},
        [NORTH] = {WS_ARGUMENT_BUFFER, "north", (u32)rows * sizeof(i32), NULL},
        [SOUTH] = {WS_ARGUMENT_BUFFER, "south", (u32)rows * sizeof(i32), NULL},
        [WEST] = {WS_ARGUMENT_BUFFER, "west", (u32)columns * sizeof(i32), NULL},
        [EAST] = {WS_ARGUMENT_BUFFER, "east", (u32)columns * sizeof(i32), NULL},
        [SPECKLE] = {WS_ARGUMENT_SCALAR, "speckle", sizeof variation, &variation},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof rows, &rows},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "srad_gradient",
                                  .source = inputs[size].source,
                                  .global = {groups * WS_SRAD_ITEMS, 1, 1},
                                  .local = {WS_SRAD_ITEMS, 1, 1},
                                  .registers = WS_SRAD_REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_srad_draw(launch->arguments[IMAGE].data, (u32)count, &seed);
    ws_srad_neighbours(launch->arguments[NORTH].data, launch->arguments[SOUTH].data, rows);
    ws_srad_neighbours(launch->arguments[WEST].data, launch->arguments[EAST].data, columns);
    return WS_STATUS_ok;
}

/* Yu and Acton: Speckle reducing anisotropic diffusion, IEEE TIP 11, 2002, (33) to (35), in double precision. */
static double coefficient(const float difference[4], double own)
{
    double gradient = 0, laplacian = 0;
    for (u32 n = 0; n < 4; n++) {
        gradient += pow((double)difference[n] / own, 2);
        laplacian += (double)difference[n] / own;
    }
    const double local = (gradient / 2 - pow(laplacian / 4, 2)) / pow(1 + laplacian / 4, 2), image = (double)speckle;
    return fmin(1, fmax(0, 1 / (1 + (local - image) / (image * (1 + image)))));
}

/* Each pixel gives itself to its neighbours. */
enum ws_status ws_srad_gradient_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_srad_gradient_prepare(size, seed, &expected, error));
    const float *image = expected.arguments[IMAGE].data;
    float(*differences)[4] = expected.arguments[DIFFERENCES].data, *coefficients = expected.arguments[COEFFICIENTS].data;
    const i32 rows = inputs[size].rows, columns = inputs[size].columns, count = rows * columns;
    for (i32 n = 0; n < count; n++) {
        if (n % rows + 1 < rows)
            differences[n + 1][0] = -(differences[n][1] = image[n + 1] - image[n]);
        if (n / rows + 1 < columns)
            differences[n + rows][2] = -(differences[n][3] = image[n + rows] - image[n]);
    }
    for (i32 n = 0; n < count; n++)
        coefficients[n] = (float)coefficient(differences[n], (double)image[n]);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
