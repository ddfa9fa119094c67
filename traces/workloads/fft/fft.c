#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(fft, "fung2007", 5, "Fourier transforms in six steps, a row a thread, barriers between (Fung 2007: FFT)");

enum { X, Y, ROOTS, ARGUMENTS };

enum { MOST_POINTS = 1024 };

/* side is that of a transform's square, and the items of its work-group. */
static const struct {
    const char *source;
    u32 groups, side;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"fft:tiny", 2, 16},
    [WS_SIZE_SMALL] = {"fft:small", 32, 32},
    [WS_SIZE_PAPER] = {"fft:paper", 64, 32},
};

/* Of sums of 1024 products whose mean square is 1/3. */
static const double tolerance = 1e-12;

struct complex {
    double x, y;
};

static struct complex product(struct complex a, struct complex b)
{
    return (struct complex){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static u32 points_of(enum ws_size size)
{
    return inputs[size].side * inputs[size].side;
}

/* The powers of exp(-2 pi i / points), from square roots, which are the same on every machine: halving -pi gives the angles of the
 * powers 2^n, products the others. */
static void make_roots(struct complex *roots, u32 points)
{
    struct complex power = {-1.0, 0.0};
    for (u32 n = points / 2; n > 0; n /= 2) {
        roots[n] = power;
        const double cosine = sqrt((1.0 + power.x) / 2.0);
        power = n == points / 2 ? (struct complex){0.0, -1.0} : (struct complex){cosine, power.y / (2.0 * cosine)};
    }
    roots[0] = (struct complex){1.0, 0.0};
    for (u32 n = 1; n < points; n++)
        roots[n] = product(roots[n & (n - 1)], roots[n & -n]);
}

enum ws_status ws_fft_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 items = inputs[size].side, points = points_of(size);
    const u64 bytes = (u64)inputs[size].groups * points * 2 * sizeof(double);
    const struct ws_argument arguments[ARGUMENTS] = {
        [X] = {WS_ARGUMENT_BUFFER, "x", bytes, NULL},
        [Y] = {WS_ARGUMENT_BUFFER, "y", bytes, NULL},
        [ROOTS] = {WS_ARGUMENT_BUFFER, "roots", (u64)points * 2 * sizeof(double), NULL},
    };
    *launch = (struct ws_ndrange){
        .kernel = "fft", .source = inputs[size].source, .global = {inputs[size].groups * items, 1, 1}, .local = {items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    double *x = launch->arguments[X].data;
    for (u64 n = 0; n < bytes / sizeof *x; n++)
        x[n] = (double)ws_random_range(&seed, 0, 2000000) / 1000000.0 - 1.0;
    struct complex roots[MOST_POINTS];
    make_roots(roots, points);
    memcpy(launch->arguments[ROOTS].data, roots, points * sizeof *roots);
    return WS_STATUS_ok;
}

/* The transform as it is defined: every point's share in every frequency. */
static void transform(const double *x, double *y, const struct complex *roots, u32 points)
{
    for (u32 frequency = 0; frequency < points; frequency++) {
        struct complex sum = {0.0, 0.0};
        for (u32 n = 0; n < points; n++) {
            const struct complex point = {x[2 * n], x[2 * n + 1]};
            const struct complex share = product(point, roots[n * frequency % points]);
            sum.x += share.x;
            sum.y += share.y;
        }
        y[2 * frequency] = sum.x;
        y[2 * frequency + 1] = sum.y;
    }
}

enum ws_status ws_fft_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 points = points_of(size);
    struct ws_ndrange input;
    WS_TRY(ws_fft_prepare(size, seed, &input, error));
    const double *x = input.arguments[X].data;
    double *y = malloc((size_t)inputs[size].groups * points * 2 * sizeof *y);
    enum ws_status status = y ? ws_launch_equal(launch, &input, ROOTS, sizeof(double), error)
                              : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        struct complex roots[MOST_POINTS];
        for (u32 n = 0; n < points; n++)
            roots[n] = (struct complex){cos(2.0 * M_PI * n / points), -sin(2.0 * M_PI * n / points)};
        for (u32 first = 0; first < inputs[size].groups * points * 2; first += points * 2)
            transform(x + first, y + first, roots, points);
        status = ws_launch_near_double(launch, Y, y, tolerance, error);
    }
    free(y);
    ws_launch_release(&input);
    return status;
}
