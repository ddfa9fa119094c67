#include "families/radix.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "workload.h"

WORKLOAD(radix_scatter, "xiang2014", 3, "keys of sorted blocks put into the order of all (Xiang 2014, Table 2: RadixSort)");

enum { KEYS, SORTED, FIRST, PLACE, SHIFT, BITS, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"radix_scatter:tiny", 4},
    [WS_SIZE_SMALL] = {"radix_scatter:small", 256},
    [WS_SIZE_PAPER] = {"radix_scatter:paper", 256},
};

/* What radix_blocks and a scan of its counts leave, from the keys in any order. */
static enum ws_status sort_blocks(struct ws_ndrange *launch, u32 groups, struct ws_error *error)
{
    u32 *keys = launch->arguments[KEYS].data, *first = launch->arguments[FIRST].data, *place = launch->arguments[PLACE].data;
    u32 *unsorted = malloc(WS_RADIX_KEYS * sizeof *unsorted), sum = 0;
    if (!unsorted)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a block of keys");
    for (u32 group = 0; group < groups; group++) {
        memcpy(unsorted, keys + group * WS_RADIX_KEYS, WS_RADIX_KEYS * sizeof *unsorted);
        ws_radix_sort(unsorted, WS_RADIX_KEYS, WS_RADIX_BITS, keys + group * WS_RADIX_KEYS, first + group * WS_RADIX_DIGITS);
    }
    free(unsorted);
    for (u32 digit = 0; digit < WS_RADIX_DIGITS; digit++)
        for (u32 group = 0; group < groups; group++) {
            const u32 *begins = first + group * WS_RADIX_DIGITS + digit;
            place[digit * groups + group] = sum;
            sum += (digit + 1 < WS_RADIX_DIGITS ? begins[1] : WS_RADIX_KEYS) - begins[0];
        }
    return WS_STATUS_ok;
}

enum ws_status ws_radix_scatter_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 bits = WS_RADIX_BITS, shift = WS_RADIX_SHIFT;
    const u32 groups = inputs[size].groups, keys = groups * WS_RADIX_KEYS;
    const struct ws_argument arguments[ARGUMENTS] = {
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", keys * sizeof(u32), NULL},
        [SORTED] = {WS_ARGUMENT_BUFFER, "sorted", keys * sizeof(u32), NULL},
        [FIRST] = {WS_ARGUMENT_BUFFER, "first", groups * WS_RADIX_DIGITS * sizeof(u32), NULL},
        [PLACE] = {WS_ARGUMENT_BUFFER, "place", groups * WS_RADIX_DIGITS * sizeof(u32), NULL},
        [SHIFT] = {WS_ARGUMENT_SCALAR, "shift", sizeof shift, &shift},
        [BITS] = {WS_ARGUMENT_SCALAR, "bits", sizeof bits, &bits},
    };
    *launch = (struct ws_ndrange){.kernel = "radix_scatter",
                                  .source = inputs[size].source,
                                  .global = {groups * WS_RADIX_ITEMS, 1, 1},
                                  .local = {WS_RADIX_ITEMS, 1, 1},
                                  .registers = WS_RADIX_REGISTERS};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_radix_draw(launch->arguments[KEYS].data, keys, &seed);
    const enum ws_status status = sort_blocks(launch, groups, error);
    if (status != WS_STATUS_ok)
        ws_launch_release(launch);
    return status;
}

/* Sorting all keys by the digit at once: the order of equal digits is that of the blocks. */
enum ws_status ws_radix_scatter_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    u32 first[WS_RADIX_DIGITS];
    struct ws_ndrange expected;
    WS_TRY(ws_radix_scatter_prepare(size, seed, &expected, error));
    ws_radix_sort(expected.arguments[KEYS].data, inputs[size].groups * WS_RADIX_KEYS, WS_RADIX_BITS,
                  expected.arguments[SORTED].data, first);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
