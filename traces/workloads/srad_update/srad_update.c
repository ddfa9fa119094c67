#include "workload.h"

#include "base/error.h"
#include "families/srad.h"

WORKLOAD(srad_update, "xiang2014", 7, "a step of speckle reducing diffusion (Xiang 2014, Table 2: SRad)");

enum { IMAGE, DIFFERENCES, COEFFICIENTS, SOUTH, EAST, RATE, ROWS, COUNT, ARGUMENTS };

static const struct {
    const char *source;
    i32 rows, columns;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"srad_update:tiny", 30, 30},
    [WS_SIZE_SMALL] = {"srad_update:small", 300, 458},
    [WS_SIZE_PAPER] = {"srad_update:paper", WS_SRAD_ROWS, WS_SRAD_COLUMNS},
};

static const double tolerances[ARGUMENTS] = {[IMAGE] = 1e-6};

static const float rate = 0.5f;

enum ws_status ws_srad_update_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    i32 rows = inputs[size].rows, columns = inputs[size].columns, count = rows * columns;
    float step = rate;
    const u32 groups = ((u32)count + WS_SRAD_ITEMS - 1) / WS_SRAD_ITEMS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [IMAGE] = {WS_ARGUMENT_BUFFER, "image", (u32)count * sizeof(float), NULL},
        [DIFFERENCES] = {WS_ARGUMENT_BUFFER, "differences", (u32)count * 4 * sizeof(float), NULL},
        [COEFFICIENTS] = {WS_ARGUMENT_BUFFER, "coefficients", (u32)count * sizeof(float), NULL},
        [SOUTH] = {WS_ARGUMENT_BUFFER, "south", (u32)rows * sizeof(i32), NULL},
        [EAST] = {WS_ARGUMENT_BUFFER, "east", (u32)columns * sizeof(i32), NULL},
        [RATE] = {WS_ARGUMENT_SCALAR, "rate", sizeof step, &step},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof rows, &rows},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "srad_update",
                                  .source = inputs[size].source,
                                  .global = {groups * WS_SRAD_ITEMS, 1, 1},
                                  .local = {WS_SRAD_ITEMS, 1, 1},
                                  .registers = WS_SRAD_REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_srad_draw(launch->arguments[IMAGE].data, (u32)count, &seed);
    ws_launch_random(launch, DIFFERENCES, -1.0f, 1.0f, &seed);
    ws_launch_random(launch, COEFFICIENTS, 0.0f, 1.0f, &seed);
    ws_srad_neighbours(NULL, launch->arguments[SOUTH].data, rows);
    ws_srad_neighbours(NULL, launch->arguments[EAST].data, columns);
    return WS_STATUS_ok;
}

/* Places instead of lists of neighbours, in double precision. */
enum ws_status ws_srad_update_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_srad_update_prepare(size, seed, &expected, error));
    const float(*differences)[4] = expected.arguments[DIFFERENCES].data, *coefficients = expected.arguments[COEFFICIENTS].data;
    float *image = expected.arguments[IMAGE].data;
    const i32 rows = inputs[size].rows, columns = inputs[size].columns;
    for (i32 column = 0; column < columns; column++)
        for (i32 row = 0; row < rows; row++) {
            const i32 n = column * rows + row, down = row + 1 < rows ? n + 1 : n, right = column + 1 < columns ? n + rows : n;
            const double own = (double)coefficients[n] * ((double)differences[n][0] + (double)differences[n][2]);
            const double south = (double)coefficients[down] * (double)differences[n][1];
            const double east = (double)coefficients[right] * (double)differences[n][3];
            image[n] = (float)((double)image[n] + (double)rate / 4 * (own + south + east));
        }
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
