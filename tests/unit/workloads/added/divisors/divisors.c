#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(divisors, NULL, 0, "greatest common divisors on a grid, work-groups of 48 in two dimensions");

enum { DIVISOR, SUMS, SHARE, FIRST_X, FIRST_Y, ARGUMENTS };

enum { WIDTH = 12, HEIGHT = 4 }; /* of a work-group */

static const struct {
    const char *source;
    u32 groups[2];
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"divisors:tiny", {1, 5}},
    [WS_SIZE_SMALL] = {"divisors:small", {40, 25}},
    [WS_SIZE_PAPER] = {"divisors:paper", {200, 100}},
};

enum ws_status ws_divisors_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 groups = inputs[size].groups[0] * inputs[size].groups[1];
    u32 first_x = ws_random_range(&seed, 1u << 20, 1u << 30), first_y = ws_random_range(&seed, 1u << 20, 1u << 30);
    const struct ws_argument arguments[ARGUMENTS] = {
        [DIVISOR] = {WS_ARGUMENT_BUFFER, "divisor", (u64)groups * WIDTH * HEIGHT * sizeof(u32), NULL},
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", groups * sizeof(u32), NULL},
        [SHARE] = {WS_ARGUMENT_SHARED, "share", WIDTH * HEIGHT * sizeof(u32), NULL},
        [FIRST_X] = {WS_ARGUMENT_SCALAR, "first_x", sizeof first_x, &first_x},
        [FIRST_Y] = {WS_ARGUMENT_SCALAR, "first_y", sizeof first_y, &first_y},
    };
    *launch = (struct ws_ndrange){.kernel = "divisors",
                                  .source = inputs[size].source,
                                  .global = {inputs[size].groups[0] * WIDTH, inputs[size].groups[1] * HEIGHT, 1},
                                  .local = {WIDTH, HEIGHT, 1}};
    return ws_launch_arguments(launch, arguments, ARGUMENTS, error);
}

/* The binary algorithm, without division. */
static u32 common_divisor(u32 a, u32 b)
{
    const int twos = __builtin_ctz(a | b);
    for (a >>= __builtin_ctz(a); b > 0;) {
        b >>= __builtin_ctz(b);
        const u32 less = ws_min(a, b);
        b = a + b - 2 * less;
        a = less;
    }
    return a << twos;
}

/* Fills in the expected results, with the shape of the launch. */
static void compute(struct ws_ndrange *launch)
{
    const u32 first_x = *(const u32 *)launch->arguments[FIRST_X].data, first_y = *(const u32 *)launch->arguments[FIRST_Y].data;
    u32 *divisor = launch->arguments[DIVISOR].data, *sums = launch->arguments[SUMS].data;
    const u32 columns = launch->global[0], groups_across = columns / launch->local[0];
    for (u32 y = 0; y < launch->global[1]; y++)
        for (u32 x = 0; x < columns; x++) {
            const u32 found = common_divisor(first_x + x, first_y + y);
            divisor[y * columns + x] = found;
            sums[y / launch->local[1] * groups_across + x / launch->local[0]] += found;
        }
}

enum ws_status ws_divisors_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_divisors_prepare(size, seed, &expected, error));
    compute(&expected);
    enum ws_status status = ws_launch_equal(launch, &expected, DIVISOR, sizeof(u32), error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, SUMS, sizeof(u32), error);
    ws_launch_release(&expected);
    return status;
}
