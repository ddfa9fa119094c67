#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

WORKLOAD(nbody, "rogers2015", 15, "accelerations of bodies that attract each other, all pairs (Rogers 2015: insensitive)");

enum { BODIES, ACCELERATIONS, SOFTENING, COUNT, ARGUMENTS };

enum { ITEMS = 64 };

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"nbody:tiny", 1},
    [WS_SIZE_SMALL] = {"nbody:small", 10},
    [WS_SIZE_PAPER] = {"nbody:paper", 40},
};

static const float softening = 0.01f;

/* Accelerations are about 1. */
static const double tolerance = 1e-5;

enum ws_status ws_nbody_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].groups * ITEMS;
    float soft = softening;
    const struct ws_argument arguments[ARGUMENTS] = {
        [BODIES] = {WS_ARGUMENT_BUFFER, "bodies", count * 4 * sizeof(float), NULL},
        [ACCELERATIONS] = {WS_ARGUMENT_BUFFER, "accelerations", count * 4 * sizeof(float), NULL},
        [SOFTENING] = {WS_ARGUMENT_SCALAR, "softening", sizeof soft, &soft},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch =
        (struct ws_ndrange){.kernel = "nbody", .source = inputs[size].source, .global = {count, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, BODIES, -1.0f, 1.0f, &seed);
    float(*bodies)[4] = launch->arguments[BODIES].data;
    for (u32 n = 0; n < count; n++)
        bodies[n][3] = (bodies[n][3] + 1.0f) / (float)count;
    return WS_STATUS_ok;
}

/* Every pair once, both being given their share, in double precision. */
static void attract(const float (*bodies)[4], double *accelerations, u32 count)
{
    for (u32 a = 0; a < count; a++)
        for (u32 b = 0; b < a; b++) {
            double way[3], square = (double)softening;
            for (u32 d = 0; d < 3; d++) {
                way[d] = (double)bodies[b][d] - (double)bodies[a][d];
                square += way[d] * way[d];
            }
            for (u32 d = 0; d < 3; d++) {
                const double pull = way[d] / (square * sqrt(square));
                accelerations[4 * a + d] += (double)bodies[b][3] * pull;
                accelerations[4 * b + d] -= (double)bodies[a][3] * pull;
            }
        }
}

enum ws_status ws_nbody_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_nbody_prepare(size, seed, &input, error));
    const u32 count = inputs[size].groups * ITEMS;
    double *accelerations = calloc(4 * count, sizeof *accelerations);
    enum ws_status status = accelerations ? ws_launch_equal(launch, &input, BODIES, sizeof(float), error)
                                          : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        attract(input.arguments[BODIES].data, accelerations, count);
        status = ws_launch_near(launch, ACCELERATIONS, accelerations, tolerance, error);
    }
    free(accelerations);
    ws_launch_release(&input);
    return status;
}
