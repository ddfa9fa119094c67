#include "families/radix.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(radix_blocks, "xiang2014", 3, "blocks of keys sorted by one digit (Xiang 2014, Table 2: RadixSort)");

enum { KEYS, SORTED, FIRST, SHIFT, BITS, ARGUMENTS };

/* At size tiny a digit has one bit. */
static const struct {
    const char *source;
    u32 groups, bits;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"radix_blocks:tiny", 1, 1},
    [WS_SIZE_SMALL] = {"radix_blocks:small", 20, WS_RADIX_BITS},
    [WS_SIZE_PAPER] = {"radix_blocks:paper", 256, WS_RADIX_BITS},
};

enum ws_status ws_radix_blocks_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 bits = inputs[size].bits, shift = WS_RADIX_SHIFT;
    const u32 groups = inputs[size].groups, keys = groups * WS_RADIX_KEYS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", keys * sizeof(u32), NULL},
        [SORTED] = {WS_ARGUMENT_BUFFER, "sorted", keys * sizeof(u32), NULL},
        [FIRST] = {WS_ARGUMENT_BUFFER, "first", (groups << bits) * sizeof(u32), NULL},
        [SHIFT] = {WS_ARGUMENT_SCALAR, "shift", sizeof shift, &shift},
        [BITS] = {WS_ARGUMENT_SCALAR, "bits", sizeof bits, &bits},
    };
    *launch = (struct ws_ndrange){.kernel = "radix_blocks",
                                  .source = inputs[size].source,
                                  .global = {groups * WS_RADIX_ITEMS, 1, 1},
                                  .local = {WS_RADIX_ITEMS, 1, 1},
                                  .registers = WS_RADIX_REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_radix_draw(launch->arguments[KEYS].data, keys, &seed);
    return WS_STATUS_ok;
}

enum ws_status ws_radix_blocks_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 bits = inputs[size].bits;
    struct ws_ndrange expected;
    WS_TRY(ws_radix_blocks_prepare(size, seed, &expected, error));
    const u32 *keys = expected.arguments[KEYS].data;
    u32 *sorted = expected.arguments[SORTED].data, *first = expected.arguments[FIRST].data;
    for (u32 group = 0; group < inputs[size].groups; group++)
        ws_radix_sort(keys + group * WS_RADIX_KEYS, WS_RADIX_KEYS, bits, sorted + group * WS_RADIX_KEYS, first + (group << bits));
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
