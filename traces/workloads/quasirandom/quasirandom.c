#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(quasirandom, "xiang2014", 2, "points of a quasirandom sequence in three dimensions (Xiang 2014, Table 2: MonteCarlo)");

enum { DIRECTIONS, POINTS, FIRST, COUNT, ARGUMENTS };

enum { WIDE = 128, DIMENSIONS = 3, BITS = 31, REGISTERS = 20 }; /* of a thread, Table 2: 7680 a block */

static const struct {
    const char *source;
    u32 groups, points;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"quasirandom:tiny", 1, 100},
    [WS_SIZE_SMALL] = {"quasirandom:small", 16, 7000},
    [WS_SIZE_PAPER] = {"quasirandom:paper", 128, 64 * 1024},
};

/* Sobol's directions: of the first dimension the bits themselves, of the others by the recurrences of the polynomials x + 1 and
 * x^2 + x + 1, which begin with 1 and with 1, 3 (Bratley and Fox: Algorithm 659, ACM TOMS 14, 1988). */
static void direct(u32 directions[DIMENSIONS][BITS])
{
    for (u32 bit = 0; bit < BITS; bit++)
        directions[0][bit] = 1u << (BITS - 1 - bit);
    directions[1][0] = directions[2][0] = 1u << (BITS - 1);
    directions[2][1] = 3u << (BITS - 2);
    for (u32 bit = 1; bit < BITS; bit++)
        directions[1][bit] = directions[1][bit - 1] ^ directions[1][bit - 1] >> 1;
    for (u32 bit = 2; bit < BITS; bit++)
        directions[2][bit] = directions[2][bit - 1] ^ directions[2][bit - 2] ^ directions[2][bit - 2] >> 2;
}

enum ws_status ws_quasirandom_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 directions[DIMENSIONS][BITS], count = inputs[size].points, first = ws_random_range(&seed, 0, 1 << 16);
    direct(directions);
    const struct ws_argument arguments[ARGUMENTS] = {
        [DIRECTIONS] = {WS_ARGUMENT_BUFFER, "directions", sizeof directions, directions},
        [POINTS] = {WS_ARGUMENT_BUFFER, "points", DIMENSIONS * (u64)count * sizeof(float), NULL},
        [FIRST] = {WS_ARGUMENT_SCALAR, "first", sizeof first, &first},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
    };
    *launch = (struct ws_ndrange){.kernel = "quasirandom",
                                  .source = inputs[size].source,
                                  .global = {WIDE * inputs[size].groups, DIMENSIONS, 1},
                                  .local = {WIDE, DIMENSIONS, 1},
                                  .registers = REGISTERS};
    return ws_launch_arguments(launch, arguments, ARGUMENTS, error);
}

/* In the order of a Gray code, where each point differs from the one before in one direction (Antonov and Saleev). */
static void follow(const u32 directions[BITS], float *points, u32 first, u32 count)
{
    u32 sum = 0, found = 0;
    for (u32 n = 0; found < count; sum ^= directions[ws_ctz(++n)]) {
        const u32 number = n ^ n >> 1;
        if (number >= first && number - first < count) {
            points[number - first] = (float)(sum + 1) * (1.0f / 2147483648.0f);
            found++;
        }
    }
}

enum ws_status ws_quasirandom_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_quasirandom_prepare(size, seed, &expected, error));
    const u32(*directions)[BITS] = expected.arguments[DIRECTIONS].data, *first = expected.arguments[FIRST].data;
    float *points = expected.arguments[POINTS].data;
    for (u32 d = 0; d < DIMENSIONS; d++)
        follow(directions[d], points + (u64)d * inputs[size].points, *first, inputs[size].points);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
