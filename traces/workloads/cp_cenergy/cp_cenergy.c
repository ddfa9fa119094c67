#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(cp_cenergy, "anantpur2015", 3, "Coulomb potential of atoms on a plane of grid points (Anantpur 2015, Table II: cenergy)");

enum { ATOMS, ENERGY, COUNT, SPACING, ARGUMENTS };

enum { WIDTH = 16, HEIGHT = 8, POINTS = 2 }; /* of a work-group; points of a work-item, side by side */

static const struct {
    const char *source;
    u32 groups[2], atoms;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"cp_cenergy:tiny", {1, 1}, 40},
    [WS_SIZE_SMALL] = {"cp_cenergy:small", {4, 16}, 40},
    [WS_SIZE_PAPER] = {"cp_cenergy:paper", {8, 32}, 200},
};

static float spacing = 0.1f;

/* Part of what the charges would give if all were of one sign. */
static const double tolerance = 1e-6;

/* Atoms above the plane, not nearer to it than half a unit. */
static void place_atoms(struct ws_argument *buffer, float width, float height, u64 *random)
{
    float *atoms = buffer->data;
    for (u64 n = 0; n < buffer->bytes / sizeof *atoms; n += 4) {
        const float above = 0.5f + (float)ws_random_range(random, 0, 4000) / 1000.0f;
        atoms[n] = width * (float)ws_random_range(random, 0, 10000) / 10000.0f;
        atoms[n + 1] = height * (float)ws_random_range(random, 0, 10000) / 10000.0f;
        atoms[n + 2] = above * above;
        atoms[n + 3] = (float)ws_random_range(random, 0, 2000) / 1000.0f - 1.0f;
    }
}

enum ws_status ws_cp_cenergy_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].atoms;
    const u32 columns = inputs[size].groups[0] * WIDTH * POINTS, rows = inputs[size].groups[1] * HEIGHT;
    const struct ws_argument arguments[ARGUMENTS] = {
        [ATOMS] = {WS_ARGUMENT_BUFFER, "atoms", count * 4 * sizeof(float), NULL},
        [ENERGY] = {WS_ARGUMENT_BUFFER, "energy", (u64)columns * rows * sizeof(float), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
        [SPACING] = {WS_ARGUMENT_SCALAR, "spacing", sizeof spacing, &spacing},
    };
    *launch = (struct ws_ndrange){
        .kernel = "cp_cenergy", .source = inputs[size].source, .global = {columns / POINTS, rows, 1}, .local = {WIDTH, HEIGHT, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    place_atoms(&launch->arguments[ATOMS], spacing * (float)columns, spacing * (float)rows, &seed);
    return WS_STATUS_ok;
}

/* Adds what one atom gives to every point. */
static void add_atom(const float *atom, u32 columns, u32 rows, double *energy)
{
    for (u32 row = 0; row < rows; row++)
        for (u32 column = 0; column < columns; column++) {
            const double x = (double)spacing * column - (double)atom[0], y = (double)spacing * row - (double)atom[1];
            energy[row * columns + column] += (double)atom[3] / sqrt(x * x + y * y + (double)atom[2]);
        }
}

enum ws_status ws_cp_cenergy_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 columns = inputs[size].groups[0] * WIDTH * POINTS, rows = inputs[size].groups[1] * HEIGHT;
    struct ws_ndrange input;
    WS_TRY(ws_cp_cenergy_prepare(size, seed, &input, error));
    const float *atoms = input.arguments[ATOMS].data;
    double *energy = calloc((size_t)columns * rows, sizeof *energy);
    enum ws_status status = ws_launch_equal(launch, &input, ATOMS, sizeof(float), error);
    if (!energy)
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check %u x %u points", columns, rows);
    if (status == WS_STATUS_ok) {
        double most = 0;
        for (u32 n = 0; n < inputs[size].atoms; n++) {
            add_atom(atoms + 4 * n, columns, rows, energy);
            most += fabs((double)atoms[4 * n + 3]) / sqrt((double)atoms[4 * n + 2]);
        }
        status = ws_launch_near(launch, ENERGY, energy, tolerance * most, error);
    }
    free(energy);
    ws_launch_release(&input);
    return status;
}
