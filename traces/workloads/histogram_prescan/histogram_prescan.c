#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(histogram_prescan, "xiang2014", 13, "the range of a histogram's values from a sample (Xiang 2014, Table 2: Histogram)");

enum { DATA, RANGE, MOMENTS, COUNT, ARGUMENTS };

enum { ITEMS = 512, SHARE = 8, REGISTERS = 20 }; /* part of the data that is looked at; of a thread, Table 2: 10240 a block */

/* Values are bins of 996 x 1040. */
static const struct {
    const char *source;
    u32 groups, count;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram_prescan:tiny", 1, 5000},
    [WS_SIZE_SMALL] = {"histogram_prescan:small", 64, 996 * 1040},
    [WS_SIZE_PAPER] = {"histogram_prescan:paper", 64, 996 * 1040},
};

/* Of mean and deviation, of themselves: sums of single precision. Of the range's ends also one for cutting off. */
static const double tolerance = 1e-5;

enum ws_status ws_histogram_prescan_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].count, range[] = {UINT32_MAX, 0};
    const struct ws_argument arguments[ARGUMENTS] = {
        [DATA] = {WS_ARGUMENT_BUFFER, "data", count * sizeof(u32), NULL},
        [RANGE] = {WS_ARGUMENT_BUFFER, "range", sizeof range, range},
        [MOMENTS] = {WS_ARGUMENT_BUFFER, "moments", inputs[size].groups * 2 * sizeof(float), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "histogram_prescan",
                                  .source = inputs[size].source,
                                  .global = {inputs[size].groups * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1},
                                  .registers = REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *data = launch->arguments[DATA].data;
    for (u32 n = 0; n < count; n++) { /* near to normally distributed about the middle */
        data[n] = 996 * 1040 / 2 - 100 * 1000;
        for (u32 part = 0; part < 4; part++)
            data[n] += ws_random_range(&seed, 0, 50 * 1000);
    }
    return WS_STATUS_ok;
}

/* Mean and deviation by sums of values and of squares, exact in integers. */
static void moments_of(const u32 *data, u32 count, double *mean, double *deviation)
{
    u64 sum = 0, squares = 0;
    for (u32 n = 0; n < count; n++) {
        sum += data[n];
        squares += (u64)data[n] * data[n];
    }
    *mean = (double)sum / count;
    *deviation = sqrt((double)(squares * count - sum * sum)) / count;
}

static bool is_near(double found, double wanted, double off)
{
    return fabs(found - wanted) <= tolerance * fabs(wanted) + off;
}

static enum ws_status check(const struct ws_ndrange *launch, const struct ws_ndrange *input, enum ws_size size,
                            struct ws_error *error)
{
    const u32 groups = inputs[size].groups, part = inputs[size].count / groups, *range = launch->arguments[RANGE].data;
    const u32 *data = input->arguments[DATA].data;
    const float(*found)[2] = launch->arguments[MOMENTS].data;
    double least = UINT32_MAX, most = 0;
    for (u32 group = 0; group < groups; group++) {
        double mean, deviation;
        moments_of(data + group * part, part / SHARE, &mean, &deviation);
        if (!is_near((double)found[group][0], mean, 0) || !is_near((double)found[group][1], deviation, 0))
            return ws_fail(error, WS_STATUS_mismatch, "%s: mean and deviation %u are %.9g and %.9g instead of %.9g and %.9g",
                           launch->source, group, (double)found[group][0], (double)found[group][1], mean, deviation);
        least = fmin(least, fmax(mean - 10 * deviation, 0));
        most = fmax(most, mean + 10 * deviation);
    }
    if (!is_near(range[0], least, 1) || !is_near(range[1], most, 1))
        return ws_fail(error, WS_STATUS_mismatch, "%s: range is %u to %u instead of %.0f to %.0f", launch->source, range[0],
                       range[1], least, most);
    return ws_launch_equal(launch, input, DATA, sizeof(u32), error);
}

enum ws_status ws_histogram_prescan_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_histogram_prescan_prepare(size, seed, &input, error));
    const enum ws_status status = check(launch, &input, size, error);
    ws_launch_release(&input);
    return status;
}
