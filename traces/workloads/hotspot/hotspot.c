#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(hotspot, "narasiman2011", 8, "temperature of a chip by steps of the heat equation (Narasiman 2011, Table 2: hotspot)");

#define ITEMS 1024u /* in one work-group */

enum { EVEN, ODD, POWER, SIZE, STEPS, ALONG, ACROSS, OUTWARDS, AMBIENT, ARGUMENTS };

/* The number of steps is even: the result is in the first buffer. */
static const struct {
    const char *source;
    u32 size, steps;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"hotspot:tiny", 16, 4},
    [WS_SIZE_SMALL] = {"hotspot:small", 256, 2},
    [WS_SIZE_PAPER] = {"hotspot:paper", 512, 14},
};

/* Of a step: stable, as twice their sum is below 1. */
static float along = 0.10f, across = 0.15f, outwards = 0.01f;
static float ambient = 80.0f;

/* Single precision, over a few steps. */
static const double tolerance = 1e-5;

enum ws_status ws_hotspot_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 side = inputs[size].size, steps = inputs[size].steps;
    const u64 cells = (u64)side * side, bytes = cells * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [EVEN] = {WS_ARGUMENT_BUFFER, "even", bytes, NULL},
        [ODD] = {WS_ARGUMENT_BUFFER, "odd", bytes, NULL},
        [POWER] = {WS_ARGUMENT_BUFFER, "power", bytes, NULL},
        [SIZE] = {WS_ARGUMENT_SCALAR, "size", sizeof side, &side},
        [STEPS] = {WS_ARGUMENT_SCALAR, "steps", sizeof steps, &steps},
        [ALONG] = {WS_ARGUMENT_SCALAR, "along", sizeof along, &along},
        [ACROSS] = {WS_ARGUMENT_SCALAR, "across", sizeof across, &across},
        [OUTWARDS] = {WS_ARGUMENT_SCALAR, "outwards", sizeof outwards, &outwards},
        [AMBIENT] = {WS_ARGUMENT_SCALAR, "ambient", sizeof ambient, &ambient},
    };
    *launch =
        (struct ws_ndrange){.kernel = "hotspot", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    float *temperature = launch->arguments[EVEN].data, *power = launch->arguments[POWER].data;
    for (u64 cell = 0; cell < cells; cell++) {
        temperature[cell] = 80.0f + (float)ws_random_range(&seed, 0, 4000) / 100.0f;
        power[cell] = (float)ws_random_range(&seed, 0, 1000) / 1000.0f;
    }
    return WS_STATUS_ok;
}

/* One step in double precision, on a grid with a border of one cell that repeats its neighbours. */
static void advance(double *from, double *to, const float *power, u32 side)
{
    const u64 pitch = side + 2;
    for (u32 n = 1; n <= side; n++) {
        from[n] = from[n + pitch];
        from[(side + 1) * pitch + n] = from[side * pitch + n];
        from[n * pitch] = from[n * pitch + 1];
        from[n * pitch + side + 1] = from[n * pitch + side];
    }
    for (u32 row = 1; row <= side; row++) {
        for (u32 column = 1; column <= side; column++) {
            const double *own = from + row * pitch + column;
            double change = (double)power[(u64)(row - 1) * side + column - 1];
            change += ((own[0] - own[1]) + (own[0] - own[-1])) * -(double)along;
            change += ((own[0] - own[pitch]) + (own[0] - *(own - pitch))) * -(double)across;
            change -= (own[0] - (double)ambient) * (double)outwards;
            to[row * pitch + column] = own[0] + change;
        }
    }
}

static enum ws_status compare(const struct ws_ndrange *launch, const double *expected, u32 side, struct ws_error *error)
{
    const float *found = launch->arguments[EVEN].data;
    for (u32 row = 0; row < side; row++) {
        for (u32 column = 0; column < side; column++) {
            const u64 cell = (u64)row * side + column;
            const double wanted = expected[(row + 1ull) * (side + 2ull) + column + 1];
            if (!(fabs((double)found[cell] - wanted) <= tolerance * wanted))
                return ws_fail(error, WS_STATUS_mismatch, "%s: cell %llu has %g degrees instead of %g", launch->source,
                               (unsigned long long)cell, (double)found[cell], wanted);
        }
    }
    return WS_STATUS_ok;
}

enum ws_status ws_hotspot_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 side = inputs[size].size;
    const size_t cells = (side + 2ull) * (side + 2ull);
    struct ws_ndrange input;
    WS_TRY(ws_hotspot_prepare(size, seed, &input, error));
    double *grids = calloc(2 * cells, sizeof *grids);
    enum ws_status status = ws_launch_equal(launch, &input, POWER, sizeof(float), error);
    if (!grids)
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check %u x %u cells", side, side);
    if (status == WS_STATUS_ok) {
        const float *temperature = input.arguments[EVEN].data;
        for (u32 row = 0; row < side; row++)
            for (u32 column = 0; column < side; column++)
                grids[(row + 1ull) * (side + 2ull) + column + 1] = (double)temperature[(u64)row * side + column];
        for (u32 step = 0; step < inputs[size].steps; step++)
            advance(grids + (step % 2 ? cells : 0), grids + (step % 2 ? 0 : cells), input.arguments[POWER].data, side);
        status = compare(launch, grids, side, error);
    }
    free(grids);
    ws_launch_release(&input);
    return status;
}
