#include "workload.h"

#include "base/error.h"
#include "families/srad.h"

WORKLOAD(srad_reduce, "xiang2014", 7, "sums of an image's values and squares (Xiang 2014, Table 2: SRad)");

enum { VALUES, SQUARES, SUMS, COUNT, ARGUMENTS };

static const struct {
    const char *source;
    u32 count;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"srad_reduce:tiny", 700},
    [WS_SIZE_SMALL] = {"srad_reduce:small", 60000},
    [WS_SIZE_PAPER] = {"srad_reduce:paper", WS_SRAD_ROWS *WS_SRAD_COLUMNS},
};

/* Of sums of 512 values of at most 2.8 and of at most 7.4. */
static const double tolerances[ARGUMENTS] = {[SUMS] = 1e-5};

enum ws_status ws_srad_reduce_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].count;
    const u32 groups = (count + WS_SRAD_ITEMS - 1) / WS_SRAD_ITEMS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [VALUES] = {WS_ARGUMENT_BUFFER, "values", count * sizeof(float), NULL},
        [SQUARES] = {WS_ARGUMENT_BUFFER, "squares", count * sizeof(float), NULL},
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", groups * 2 * sizeof(float), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "srad_reduce",
                                  .source = inputs[size].source,
                                  .global = {groups * WS_SRAD_ITEMS, 1, 1},
                                  .local = {WS_SRAD_ITEMS, 1, 1},
                                  .registers = WS_SRAD_REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    float *values = launch->arguments[VALUES].data, *squares = launch->arguments[SQUARES].data;
    ws_srad_draw(values, count, &seed);
    for (u32 n = 0; n < count; n++)
        squares[n] = values[n] * values[n];
    return WS_STATUS_ok;
}

/* One after another, in double precision. */
enum ws_status ws_srad_reduce_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_srad_reduce_prepare(size, seed, &expected, error));
    const float *values = expected.arguments[VALUES].data, *squares = expected.arguments[SQUARES].data;
    float(*sums)[2] = expected.arguments[SUMS].data;
    const u32 count = inputs[size].count;
    for (u32 first = 0; first < count; first += WS_SRAD_ITEMS) {
        double sum = 0, square = 0;
        for (u32 n = first; n < count && n < first + WS_SRAD_ITEMS; n++) {
            sum += (double)values[n];
            square += (double)squares[n];
        }
        sums[first / WS_SRAD_ITEMS][0] = (float)sum;
        sums[first / WS_SRAD_ITEMS][1] = (float)square;
    }
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
