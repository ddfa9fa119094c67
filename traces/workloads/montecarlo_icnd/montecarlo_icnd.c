#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(montecarlo_icnd, "anantpur2015", 23,
         "inverse cumulative normal distribution (Anantpur and Govindarajan 2015, Table II: inverseCNDKernel)");

enum { ITEMS = 128 }; /* of a work-group */

enum { NORMAL, SAMPLES, COUNT, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups, samples;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"montecarlo_icnd:tiny", 3, 2000},
    [WS_SIZE_SMALL] = {"montecarlo_icnd:small", 48, 160 * 1000},
    [WS_SIZE_PAPER] = {"montecarlo_icnd:paper", 128, 256 * 1024},
};

/* Three times what single precision and the approximate logarithms lose. */
static const double tolerance = 1e-6;

static u32 reversed(u32 bits)
{
    u32 result = 0;
    for (u32 n = 0; n < 32; n++)
        result |= (bits >> n & 1) << (31 - n);
    return result;
}

/* Samples are the van der Corput sequence, shifted by a random number bit by bit. */
enum ws_status ws_montecarlo_icnd_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].samples;
    const struct ws_argument arguments[ARGUMENTS] = {
        [NORMAL] = {WS_ARGUMENT_BUFFER, "normal", count * sizeof(float), NULL},
        [SAMPLES] = {WS_ARGUMENT_BUFFER, "samples", count * sizeof(u32), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "montecarlo_icnd",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    const u32 shift = (u32)ws_random(&seed);
    u32 *samples = launch->arguments[SAMPLES].data;
    for (u32 n = 0; n < count; n++)
        samples[n] = reversed(n) ^ shift;
    return WS_STATUS_ok;
}

/* How far a quantile is off, by the distribution itself and its derivative: a step of Newton's method. */
static double excess(double z, double p)
{
    const double half_sqrt = 0.70710678118654752440, density = 0.39894228040143267794 * exp(-0.5 * z * z);
    return z < 0.0 ? (0.5 * erfc(-z * half_sqrt) - p) / density : ((1.0 - p) - 0.5 * erfc(z * half_sqrt)) / density;
}

enum ws_status ws_montecarlo_icnd_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_montecarlo_icnd_prepare(size, seed, &input, error));
    const u32 *samples = input.arguments[SAMPLES].data;
    const float *normal = launch->arguments[NORMAL].data;
    enum ws_status status = ws_launch_equal(launch, &input, SAMPLES, sizeof(u32), error);
    for (u32 n = 0; n < inputs[size].samples && status == WS_STATUS_ok; n++) {
        const double z = (double)normal[n], off = excess(z, ((double)samples[n] + 0.5) * 0x1p-32);
        if (!(fabs(off) <= tolerance * (1.0 + fabs(z))))
            status =
                ws_fail(error, WS_STATUS_mismatch, "%s: element %u of normal is %g instead of %g", launch->source, n, z, z - off);
    }
    ws_launch_release(&input);
    return status;
}
