#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(bitonic_pairs, "xiang2014", 4, "bitonic sort of keys with values in local memory (Xiang 2014, Table 2: SortingNetworks)");

enum { KEYS, VALUES, LENGTH, ARGUMENTS };

enum { ITEMS = 512, PAIRS = 2 * ITEMS, REGISTERS = 17 }; /* of a thread, Table 2: 8704 a block */

static const struct {
    const char *source;
    u32 groups, length;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"bitonic_pairs:tiny", 1, 8},
    [WS_SIZE_SMALL] = {"bitonic_pairs:small", 12, PAIRS},
    [WS_SIZE_PAPER] = {"bitonic_pairs:paper", 128, PAIRS},
};

/* No key comes twice: its low bits are its place. */
enum ws_status ws_bitonic_pairs_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 pairs = inputs[size].groups * PAIRS;
    u32 length = inputs[size].length;
    const struct ws_argument arguments[ARGUMENTS] = {
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", pairs * sizeof(u32), NULL},
        [VALUES] = {WS_ARGUMENT_BUFFER, "values", pairs * sizeof(u32), NULL},
        [LENGTH] = {WS_ARGUMENT_SCALAR, "length", sizeof length, &length},
    };
    *launch = (struct ws_ndrange){.kernel = "bitonic_pairs",
                                  .source = inputs[size].source,
                                  .global = {inputs[size].groups * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1},
                                  .registers = REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *keys = launch->arguments[KEYS].data, *values = launch->arguments[VALUES].data;
    for (u32 n = 0; n < pairs; n++) {
        keys[n] = (u32)ws_random(&seed) / PAIRS * PAIRS + n % PAIRS;
        values[n] = (u32)ws_random(&seed);
    }
    return WS_STATUS_ok;
}

static int compare(const void *a, const void *b)
{
    const u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

/* Sorts runs with the C library, a key above its value in one number. */
static void sort(u32 *keys, u32 *values, u32 pairs, u32 length)
{
    u64 run[PAIRS];
    for (u32 first = 0; first < pairs; first += length) {
        for (u32 n = 0; n < length; n++)
            run[n] = (u64)keys[first + n] << 32 | values[first + n];
        qsort(run, length, sizeof *run, compare);
        for (u32 n = 0; n < length; n++) {
            keys[first + n] = (u32)(run[n] >> 32);
            values[first + n] = (u32)run[n];
        }
    }
}

enum ws_status ws_bitonic_pairs_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_bitonic_pairs_prepare(size, seed, &expected, error));
    sort(expected.arguments[KEYS].data, expected.arguments[VALUES].data, inputs[size].groups * PAIRS, inputs[size].length);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
