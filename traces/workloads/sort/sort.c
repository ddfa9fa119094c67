#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(sort, "narasiman2011", 2, "bucket sort of random integers (Narasiman 2011, Table 2: sort)");

#define ITEMS 1024u /* in one work-group */

enum { KEYS, SORTED, ENDS, SUMS, COUNT, BUCKETS, SHIFT, ARGUMENTS };

/* 32 keys a bucket on average. */
static const struct {
    const char *source;
    u32 count, bucket_bits;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"sort:tiny", 512, 4},
    [WS_SIZE_SMALL] = {"sort:small", 64 * 1024, 11},
    [WS_SIZE_PAPER] = {"sort:paper", 1024 * 1024, 15},
};

enum ws_status ws_sort_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 count = inputs[size].count, buckets = 1u << inputs[size].bucket_bits, shift = 32 - inputs[size].bucket_bits;
    const struct ws_argument arguments[ARGUMENTS] = {
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", (u64)count * sizeof(u32), NULL},
        [SORTED] = {WS_ARGUMENT_BUFFER, "sorted", (u64)count * sizeof(u32), NULL},
        [ENDS] = {WS_ARGUMENT_BUFFER, "ends", buckets * sizeof(u32), NULL},
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", 2 * ITEMS * sizeof(u32), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof count, &count},
        [BUCKETS] = {WS_ARGUMENT_SCALAR, "buckets", sizeof buckets, &buckets},
        [SHIFT] = {WS_ARGUMENT_SCALAR, "shift", sizeof shift, &shift},
    };
    *launch = (struct ws_ndrange){.kernel = "sort", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
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

/* Leaves what the kernel leaves: the sorted keys, and where each bucket ends. */
static void sort_launch(struct ws_ndrange *launch, u32 count, u32 bucket_bits)
{
    const u32 *keys = launch->arguments[KEYS].data;
    u32 *sorted = launch->arguments[SORTED].data, *ends = launch->arguments[ENDS].data;
    for (u32 n = 0; n < count; n++)
        sorted[n] = keys[n];
    qsort(sorted, count, sizeof *sorted, by_value);
    for (u32 bucket = 0, n = 0; bucket < 1u << bucket_bits; bucket++) {
        while (n < count && sorted[n] >> (32 - bucket_bits) == bucket)
            n++;
        ends[bucket] = n;
    }
}

enum ws_status ws_sort_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    static const u32 results[] = {KEYS, SORTED, ENDS};
    struct ws_ndrange expected;
    WS_TRY(ws_sort_prepare(size, seed, &expected, error));
    sort_launch(&expected, inputs[size].count, inputs[size].bucket_bits);
    enum ws_status status = WS_STATUS_ok;
    for (size_t n = 0; n < sizeof results / sizeof *results && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &expected, results[n], sizeof(u32), error);
    ws_launch_release(&expected);
    return status;
}
