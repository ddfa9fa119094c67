#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(bitonic, "fung2007", 4, "bitonic sort in global memory, a barrier after each step (Fung 2007: Bitonic)");

#define ITEMS 256u /* of a work-group, and its keys */

enum { KEYS, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"bitonic:tiny", 1},
    [WS_SIZE_SMALL] = {"bitonic:small", 48},
    [WS_SIZE_PAPER] = {"bitonic:paper", 48},
};

enum ws_status ws_bitonic_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 count = inputs[size].groups * ITEMS;
    const struct ws_argument arguments[ARGUMENTS] = {[KEYS] = {WS_ARGUMENT_BUFFER, "keys", count * sizeof(u32), NULL}};
    *launch =
        (struct ws_ndrange){.kernel = "bitonic", .source = inputs[size].source, .global = {count, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *keys = launch->arguments[KEYS].data;
    for (u32 n = 0; n < count; n++)
        keys[n] = (u32)(ws_random(&seed) >> 32);
    return WS_STATUS_ok;
}

static int by_value(const void *a, const void *b)
{
    const u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

enum ws_status ws_bitonic_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_bitonic_prepare(size, seed, &expected, error));
    u32 *keys = expected.arguments[KEYS].data;
    for (u32 group = 0; group < inputs[size].groups; group++)
        qsort(keys + (size_t)group * ITEMS, ITEMS, sizeof *keys, by_value);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
