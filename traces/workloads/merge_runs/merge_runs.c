#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(merge_runs, "rogers2015", 16, "a pass of merge sort, two runs a work-item (Rogers 2015, section 7.1: merge sort)");

enum { KEYS, MERGED, RUN, PAIRS, ARGUMENTS };

enum { ITEMS = 128, KEYS_A_RUN = 32 };

static const struct {
    const char *source;
    u32 pairs;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"merge_runs:tiny", 90},
    [WS_SIZE_SMALL] = {"merge_runs:small", 6000},
    [WS_SIZE_PAPER] = {"merge_runs:paper", 131072},
};

static int compare(const void *a, const void *b)
{
    const u32 left = *(const u32 *)a, right = *(const u32 *)b;
    return left < right ? -1 : left > right;
}

enum ws_status ws_merge_runs_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 pairs = inputs[size].pairs, run = KEYS_A_RUN;
    const u32 count = 2 * run * pairs;
    const struct ws_argument arguments[ARGUMENTS] = {
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", count * sizeof(u32), NULL},
        [MERGED] = {WS_ARGUMENT_BUFFER, "merged", count * sizeof(u32), NULL},
        [RUN] = {WS_ARGUMENT_SCALAR, "run", sizeof run, &run},
        [PAIRS] = {WS_ARGUMENT_SCALAR, "pairs", sizeof pairs, &pairs},
    };
    *launch = (struct ws_ndrange){.kernel = "merge_runs",
                                  .source = inputs[size].source,
                                  .global = {(pairs + ITEMS - 1) / ITEMS * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *keys = launch->arguments[KEYS].data;
    for (u32 n = 0; n < count; n++)
        keys[n] = ws_random_range(&seed, 0, UINT32_MAX);
    for (u32 n = 0; n < count; n += run)
        qsort(keys + n, run, sizeof *keys, compare);
    return WS_STATUS_ok;
}

/* Both runs of a pair sorted as one by qsort. */
enum ws_status ws_merge_runs_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_merge_runs_prepare(size, seed, &expected, error));
    u32 *merged = expected.arguments[MERGED].data;
    memcpy(merged, expected.arguments[KEYS].data, expected.arguments[MERGED].bytes);
    for (u32 pair = 0; pair < inputs[size].pairs; pair++)
        qsort(merged + (u64)pair * 2 * KEYS_A_RUN, 2 * KEYS_A_RUN, sizeof *merged, compare);
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
