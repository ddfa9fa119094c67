#include "workload.h"

#include <stdlib.h>

#include "base/error.h"

WORKLOAD(hotspot_temp, "anantpur2015", 15,
         "temperature of a chip, two steps a launch (Anantpur and Govindarajan 2015, Table II: hotspot calculate_temp)");

enum { BEFORE, AFTER, POWER, EDGE, STEPS, TIME, CAPACITY, ALONG, ACROSS, OUTWARDS, AMBIENT, ARGUMENTS };

enum { SIDE = 16, LAUNCHED = 2 }; /* of a work-group; steps of a launch */

/* Cells of an edge of the grid. */
static const struct {
    const char *source;
    u32 edge;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"hotspot_temp:tiny", 20},
    [WS_SIZE_SMALL] = {"hotspot_temp:small", 168},
    [WS_SIZE_PAPER] = {"hotspot_temp:paper", 512},
};

/* Seconds, joules and watts a kelvin; stable, as a step moves 0.5 of a difference to all four neighbours. */
static float step_time = 1e-4f, capacity = 2e-4f, along = 5.0f, across = 3.5f, outwards = 50.0f;
static float ambient = 80.0f;

static const double tolerances[ARGUMENTS] = {[AFTER] = 1e-6};

enum ws_status ws_hotspot_temp_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 edge = inputs[size].edge, steps = LAUNCHED;
    const u64 bytes = (u64)edge * edge * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [BEFORE] = {WS_ARGUMENT_BUFFER, "before", bytes, NULL},
        [AFTER] = {WS_ARGUMENT_BUFFER, "after", bytes, NULL},
        [POWER] = {WS_ARGUMENT_BUFFER, "power", bytes, NULL},
        [EDGE] = {WS_ARGUMENT_SCALAR, "side", sizeof edge, &edge},
        [STEPS] = {WS_ARGUMENT_SCALAR, "steps", sizeof steps, &steps},
        [TIME] = {WS_ARGUMENT_SCALAR, "time", sizeof step_time, &step_time},
        [CAPACITY] = {WS_ARGUMENT_SCALAR, "capacity", sizeof capacity, &capacity},
        [ALONG] = {WS_ARGUMENT_SCALAR, "along", sizeof along, &along},
        [ACROSS] = {WS_ARGUMENT_SCALAR, "across", sizeof across, &across},
        [OUTWARDS] = {WS_ARGUMENT_SCALAR, "outwards", sizeof outwards, &outwards},
        [AMBIENT] = {WS_ARGUMENT_SCALAR, "ambient", sizeof ambient, &ambient},
    };
    const u32 right = SIDE - 2 * steps; /* cells of an edge of a work-group's part */
    const u32 items = (edge + right - 1) / right * SIDE;
    *launch = (struct ws_ndrange){
        .kernel = "hotspot_temp", .source = inputs[size].source, .global = {items, items, 1}, .local = {SIDE, SIDE, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, BEFORE, 80.0f, 120.0f, &seed);
    ws_launch_random(launch, POWER, 0.0f, 4.0f, &seed);
    return WS_STATUS_ok;
}

/* The heat that flows into a cell from a neighbour, or from nowhere beyond the border. */
static double flow(const double *grid, u64 cell, bool inside, u64 neighbour, float resistance)
{
    return inside ? (grid[neighbour] - grid[cell]) / (double)resistance : 0.0;
}

/* One step of the whole grid in double precision. */
static void advance(const double *from, double *to, const float *power, u32 edge)
{
    for (u32 row = 0; row < edge; row++) {
        for (u32 column = 0; column < edge; column++) {
            const u64 cell = (u64)row * edge + column;
            double heat = (double)power[cell] + ((double)ambient - from[cell]) / (double)outwards;
            heat += flow(from, cell, row > 0, cell - edge, across) + flow(from, cell, row + 1 < edge, cell + edge, across);
            heat += flow(from, cell, column > 0, cell - 1, along) + flow(from, cell, column + 1 < edge, cell + 1, along);
            to[cell] = from[cell] + heat * (double)step_time / (double)capacity;
        }
    }
}

enum ws_status ws_hotspot_temp_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u64 cells = (u64)inputs[size].edge * inputs[size].edge;
    struct ws_ndrange expected;
    WS_TRY(ws_hotspot_temp_prepare(size, seed, &expected, error));
    double *grids = calloc(2 * cells, sizeof *grids);
    if (!grids) {
        ws_launch_release(&expected);
        return ws_fail(error, WS_STATUS_no_memory, "no memory to check %llu cells", (unsigned long long)cells);
    }
    const float *before = expected.arguments[BEFORE].data;
    float *after = expected.arguments[AFTER].data;
    for (u64 cell = 0; cell < cells; cell++)
        grids[cell] = (double)before[cell];
    for (u32 step = 0; step < LAUNCHED; step++)
        advance(grids + (step % 2 ? cells : 0), grids + (step % 2 ? 0 : cells), expected.arguments[POWER].data, inputs[size].edge);
    for (u64 cell = 0; cell < cells; cell++)
        after[cell] = (float)grids[(LAUNCHED % 2 ? cells : 0) + cell];
    free(grids);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
