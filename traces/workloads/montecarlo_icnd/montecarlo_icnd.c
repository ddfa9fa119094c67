#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(montecarlo_icnd, "anantpur2015", 23,
         "inverse cumulative normal distribution (Anantpur and Govindarajan 2015, Table II: inverseCNDKernel)");

enum { ITEMS = 128 }; /* of a work-group */

enum { NORMAL, FIRST, STEP, COUNT, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups, samples;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"montecarlo_icnd:tiny", 3, 2000},
    [WS_SIZE_SMALL] = {"montecarlo_icnd:small", 64, 192 * 1024},
    [WS_SIZE_PAPER] = {"montecarlo_icnd:paper", 128, 256 * 1024},
};

/* Single precision, approximate logarithms. */
static const double tolerance = 1e-6;

/* Fractions of 2^32, evenly spaced; the seed shifts them. */
static void spacing(enum ws_size size, u64 seed, u32 *first, u32 *step)
{
    *step = UINT32_MAX / inputs[size].samples;
    *first = ws_random_range(&seed, 0, *step - 1);
}

enum ws_status ws_montecarlo_icnd_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 first, step, count = inputs[size].samples;
    spacing(size, seed, &first, &step);
    const struct ws_argument arguments[ARGUMENTS] = {
        [NORMAL] = {WS_ARGUMENT_BUFFER, "normal", count * sizeof(float), NULL},
        [FIRST] = {WS_ARGUMENT_SCALAR, "first", sizeof first, &first},
        [STEP] = {WS_ARGUMENT_SCALAR, "step", sizeof step, &step},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "montecarlo_icnd",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    return ws_launch_arguments(launch, arguments, ARGUMENTS, error);
}

/* How far a quantile is off, by the distribution itself and its derivative: a step of Newton's method. */
static double excess(double z, double p)
{
    const double half_sqrt = 0.70710678118654752440, density = 0.39894228040143267794 * exp(-0.5 * z * z);
    return z < 0.0 ? (0.5 * erfc(-z * half_sqrt) - p) / density : ((1.0 - p) - 0.5 * erfc(z * half_sqrt)) / density;
}

enum ws_status ws_montecarlo_icnd_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    u32 first, step;
    spacing(size, seed, &first, &step);
    const float *normal = launch->arguments[NORMAL].data;
    for (u32 n = 0; n < inputs[size].samples; n++) {
        const double z = (double)normal[n], off = excess(z, ((double)(first + n * step) + 0.5) * 0x1p-32);
        if (!(fabs(off) <= tolerance * (1.0 + fabs(z))))
            return ws_fail(error, WS_STATUS_mismatch, "%s: element %u of normal is %g instead of %g", launch->source, n, z,
                           z - off);
    }
    return WS_STATUS_ok;
}
