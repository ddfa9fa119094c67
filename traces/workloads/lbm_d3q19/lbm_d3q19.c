#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(lbm_d3q19, "fung2007", 2, "a step of the lattice Boltzmann method, D3Q19, among obstacles (Fung 2007: lbm)");

enum { FROM, TO, COLUMNS, PLANE, RELAXATION, LID, ARGUMENTS };

enum { VELOCITIES = 19, KIND = VELOCITIES, WORDS };

/* Kinds are sums of these. */
enum { IS_OBSTACLE = 1, IS_LID = 2 };

/* Planes of cells before the grid and behind it. */
enum { MARGIN = 2 };

/* A grid of columns x edge x edge cells with an outer layer of obstacles, and spheres of them. */
static const struct grid {
    const char *source;
    u32 columns, edge, items, spheres, most_radius;
} grids[WS_SIZES] = {
    [WS_SIZE_TINY] = {"lbm_d3q19:tiny", 32, 4, 128, 4, 1},
    [WS_SIZE_SMALL] = {"lbm_d3q19:small", 128, 16, 256, 60, 4},
    [WS_SIZE_PAPER] = {"lbm_d3q19:paper", 128, 16, 256, 60, 4},
};

static const signed char velocity[VELOCITIES][3] = {
    {0, 0, 0},  {1, 0, 0}, {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1}, {0, 0, -1},  {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},
    {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

/* How far a collision goes towards equilibrium and beyond, and the lid's velocity. */
static double relaxation = 1.95, lid = 0.005;

/* Of densities that are a third at most. */
static const double tolerance = 1e-14;

static u32 plane_of(const struct grid *grid)
{
    return grid->columns * grid->edge;
}

static u32 cells_of(const struct grid *grid)
{
    return plane_of(grid) * grid->edge;
}

struct place {
    u32 x, y, z;
};

static struct place place_of(const struct grid *grid, u32 cell)
{
    return (struct place){cell % grid->columns, cell / grid->columns % grid->edge, cell / plane_of(grid)};
}

static bool is_outer(u32 coordinate, u32 edge)
{
    return coordinate == 0 || coordinate == edge - 1;
}

static u32 square(u32 number)
{
    return number * number;
}

static void add_sphere(const struct grid *grid, double *cells, u64 *random)
{
    const struct place centre = place_of(grid, ws_random_range(random, 0, cells_of(grid) - 1));
    const u32 radius = ws_random_range(random, 1, grid->most_radius);
    for (u32 cell = 0; cell < cells_of(grid); cell++) {
        const struct place place = place_of(grid, cell);
        if (square(place.x - centre.x) + square(place.y - centre.y) + square(place.z - centre.z) <= square(radius))
            cells[(size_t)cell * WORDS + KIND] = IS_OBSTACLE;
    }
}

static double share_of(u32 n)
{
    return n == 0 ? 1.0 / 3.0 : n <= 6 ? 1.0 / 18.0 : 1.0 / 36.0;
}

/* Densities within a tenth of those at rest. */
static void fill(const struct grid *grid, double *cells, u64 *random)
{
    for (u32 cell = 0; cell < cells_of(grid); cell++) {
        const struct place place = place_of(grid, cell);
        const bool outer = is_outer(place.x, grid->columns) || is_outer(place.y, grid->edge) || is_outer(place.z, grid->edge);
        for (u32 n = 0; n < VELOCITIES; n++)
            cells[cell * WORDS + n] = share_of(n) * (double)ws_random_range(random, 9000, 11000) / 10000.0;
        cells[cell * WORDS + KIND] = outer ? IS_OBSTACLE : place.z == grid->edge - 2 ? IS_LID : 0;
    }
    for (u32 n = 0; n < grid->spheres; n++)
        add_sphere(grid, cells, random);
}

enum ws_status ws_lbm_d3q19_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const struct grid *const grid = &grids[size];
    u32 columns = grid->columns, plane = plane_of(grid);
    const u64 bytes = (u64)(cells_of(grid) + 2 * MARGIN * plane) * WORDS * sizeof(double);
    const struct ws_argument arguments[ARGUMENTS] = {
        [FROM] = {WS_ARGUMENT_BUFFER, "from", bytes, NULL},
        [TO] = {WS_ARGUMENT_BUFFER, "to", bytes, NULL},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "columns", sizeof columns, &columns},
        [PLANE] = {WS_ARGUMENT_SCALAR, "plane", sizeof plane, &plane},
        [RELAXATION] = {WS_ARGUMENT_SCALAR, "relaxation", sizeof relaxation, &relaxation},
        [LID] = {WS_ARGUMENT_SCALAR, "lid", sizeof lid, &lid},
    };
    *launch = (struct ws_ndrange){
        .kernel = "lbm_d3q19", .source = grid->source, .global = {cells_of(grid), 1, 1}, .local = {grid->items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    fill(grid, (double *)launch->arguments[FROM].data + (size_t)MARGIN * plane * WORDS, &seed);
    return WS_STATUS_ok;
}

/* What leaves a fluid cell: densities relaxed towards equilibrium. */
static void collide(const double *cell, double *leaving)
{
    double density = 0.0, flow[3] = {0.0, 0.0, 0.0};
    for (u32 n = 0; n < VELOCITIES; n++) {
        density += cell[n];
        for (u32 d = 0; d < 3; d++)
            flow[d] += velocity[n][d] * cell[n];
    }
    for (u32 d = 0; d < 3; d++)
        flow[d] = (u32)cell[KIND] & IS_LID ? (d == 0 ? lid : 0.0) : flow[d] / density;
    const double energy = flow[0] * flow[0] + flow[1] * flow[1] + flow[2] * flow[2];
    for (u32 n = 0; n < VELOCITIES; n++) {
        double speed = 0.0;
        for (u32 d = 0; d < 3; d++)
            speed += velocity[n][d] * flow[d];
        const double equilibrium = share_of(n) * density * (1.0 + 3.0 * speed + 4.5 * speed * speed - 1.5 * energy);
        leaving[n] = (1.0 - relaxation) * cell[n] + relaxation * equilibrium;
    }
}

/* What leaves an obstacle: what came, turned round. A velocity and its opposite are neighbours in the table. */
static void turn(const double *cell, double *leaving)
{
    leaving[0] = cell[0];
    for (u32 n = 1; n < VELOCITIES; n++)
        leaving[n] = cell[((n - 1) ^ 1) + 1];
}

/* Adds to the neighbours what leaves a cell. */
static void scatter(const double *from, double *to, i32 cell, i32 columns, i32 plane)
{
    double leaving[VELOCITIES];
    if ((u32)from[cell * WORDS + KIND] & IS_OBSTACLE)
        turn(from + cell * WORDS, leaving);
    else
        collide(from + cell * WORDS, leaving);
    for (u32 n = 0; n < VELOCITIES; n++) {
        const i32 neighbour = cell + velocity[n][0] + velocity[n][1] * columns + velocity[n][2] * plane;
        to[neighbour * WORDS + (i32)n] += leaving[n];
    }
    to[cell * WORDS + KIND] = from[cell * WORDS + KIND];
}

enum ws_status ws_lbm_d3q19_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const struct grid *const grid = &grids[size];
    const u32 plane = plane_of(grid), first = MARGIN * plane, cells = cells_of(grid);
    struct ws_ndrange input;
    WS_TRY(ws_lbm_d3q19_prepare(size, seed, &input, error));
    const double *from = input.arguments[FROM].data;
    double *to = calloc(input.arguments[TO].bytes / sizeof(double), sizeof *to);
    enum ws_status status = to ? ws_launch_equal(launch, &input, FROM, sizeof(double), error)
                               : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        for (u32 cell = first; cell < first + cells; cell++)
            scatter(from, to, (i32)cell, (i32)grid->columns, (i32)plane);
        status = ws_launch_near_double(launch, TO, to, tolerance, error);
    }
    free(to);
    ws_launch_release(&input);
    return status;
}
