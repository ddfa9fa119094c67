#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(comd_force, "rogers2015", 2, "molecular dynamics: forces of Lennard-Jones by lists of cells (Rogers 2015: CoMD)");

enum { ATOMS, CELLS, FIRST, FORCES, WIDTH, SIDE, COUNT, ARGUMENTS };

/* Places are whole steps, STEPS to the unit: then every distance that may be the cutoff is exact in single precision. */
enum { ITEMS = 64, STEPS = 256, CELL = 5 * STEPS / 2 };

/* Lattice cells of four atoms along each axis, and cells of the cutoff's width. */
static const struct {
    const char *source;
    u32 lattice, side;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"comd_force:tiny", 2, 3},
    [WS_SIZE_SMALL] = {"comd_force:small", 6, 4},
    [WS_SIZE_PAPER] = {"comd_force:paper", 17, 12},
};

static const double tolerances[ARGUMENTS] = {[FORCES] = 1e-5};

/* A face-centred cubic lattice, each atom a little off its place. */
static void draw(i32 (*places)[3], u32 lattice, u32 width, u64 *seed)
{
    static const u32 corners[4][3] = {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    const u32 off = width / lattice / 32;
    for (u32 n = 0; n < 4 * lattice * lattice * lattice; n++) {
        const u32 cell = n / 4, at[3] = {cell % lattice, cell / lattice % lattice, cell / lattice / lattice};
        for (u32 d = 0; d < 3; d++) {
            const u32 place = (2 * at[d] + corners[n % 4][d]) * width / (2 * lattice);
            places[n][d] = (i32)((place + width - off + ws_random_range(seed, 0, 2 * off)) % width);
        }
    }
}

static i32 cell_of(const i32 place[3], i32 side)
{
    return (place[2] / CELL * side + place[1] / CELL) * side + place[0] / CELL;
}

/* Puts the atoms in the order of their cells. */
static void sort(struct ws_ndrange *launch, const i32 (*places)[3], u32 count, u32 side)
{
    u32 *first = launch->arguments[FIRST].data, cells = side * side * side;
    i32 *cell = launch->arguments[CELLS].data;
    float(*atoms)[4] = launch->arguments[ATOMS].data;
    for (u32 n = 0; n < count; n++)
        first[cell_of(places[n], (i32)side)]++;
    for (u32 n = 0, sum = 0; n <= cells; n++)
        sum = first[n] += sum;
    for (u32 n = count; n-- > 0;) {
        const i32 own = cell_of(places[n], (i32)side);
        const u32 to = --first[own];
        cell[to] = own;
        for (u32 d = 0; d < 3; d++)
            atoms[to][d] = (float)places[n][d] / STEPS;
    }
}

enum ws_status ws_comd_force_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 lattice = inputs[size].lattice, side = inputs[size].side, count = 4 * lattice * lattice * lattice;
    float width = (float)(side * CELL) / STEPS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [ATOMS] = {WS_ARGUMENT_BUFFER, "atoms", count * 4 * sizeof(float), NULL},
        [CELLS] = {WS_ARGUMENT_BUFFER, "cells", count * sizeof(i32), NULL},
        [FIRST] = {WS_ARGUMENT_BUFFER, "first", (side * side * side + 1) * sizeof(u32), NULL},
        [FORCES] = {WS_ARGUMENT_BUFFER, "forces", count * 4 * sizeof(float), NULL},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [SIDE] = {WS_ARGUMENT_SCALAR, "side", sizeof side, &side},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "comd_force",
                                  .source = inputs[size].source,
                                  .global = {(count + ITEMS - 1) / ITEMS * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    i32(*places)[3] = malloc(count * sizeof *places);
    if (!places)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for %u atoms", count);
    const enum ws_status status = ws_launch_arguments(launch, arguments, ARGUMENTS, error);
    if (status == WS_STATUS_ok) {
        draw(places, lattice, side * CELL, &seed);
        sort(launch, (const i32(*)[3])places, count, side);
    }
    free(places);
    return status;
}

/* The way from one place to the nearest repetition of another, along an axis. */
static double way_to(double from, double to, double width)
{
    const double way = from - to;
    return way > width / 2 ? way - width : way < -width / 2 ? way + width : way;
}

/* What two atoms do to each other. */
static void meet(const float (*atoms)[4], double (*forces)[4], u32 a, u32 b, double width)
{
    double way[3], square = 0;
    for (u32 d = 0; d < 3; d++) {
        way[d] = way_to((double)atoms[a][d], (double)atoms[b][d], width);
        square += way[d] * way[d];
    }
    const double cutoff = 2.5;
    if (square > cutoff * cutoff)
        return;
    const double sixth = pow(square, -3.0), at_cutoff = pow(cutoff, -12.0) - pow(cutoff, -6.0);
    for (u32 d = 0; d < 3; d++) {
        const double force = (48.0 * sixth * sixth - 24.0 * sixth) / square * way[d];
        forces[a][d] += force;
        forces[b][d] -= force;
    }
    forces[a][3] += 2.0 * (sixth * sixth - sixth - at_cutoff);
    forces[b][3] += 2.0 * (sixth * sixth - sixth - at_cutoff);
}

/* Each pair once, without cells, in double precision. */
enum ws_status ws_comd_force_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_comd_force_prepare(size, seed, &expected, error));
    const u32 count = (u32)(expected.arguments[CELLS].bytes / sizeof(i32));
    double(*forces)[4] = calloc(count, sizeof *forces);
    enum ws_status status = forces ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        for (u32 a = 0; a < count; a++)
            for (u32 b = 0; b < a; b++)
                meet(expected.arguments[ATOMS].data, forces, a, b, inputs[size].side * 2.5);
        float(*wanted)[4] = expected.arguments[FORCES].data;
        for (u32 n = 0; n < count; n++)
            for (u32 d = 0; d < 4; d++)
                wanted[n][d] = (float)forces[n][d];
        status = ws_launch_agrees(launch, &expected, tolerances, error);
    }
    free(forces);
    ws_launch_release(&expected);
    return status;
}
