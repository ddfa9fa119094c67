#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(reduction, "narasiman2011", 10, "number of true values among random booleans (Narasiman 2011, Table 2: reduction)");

#define ITEMS 1024u /* in one work-group */

enum { VALUES, PARTIAL, QUADS, ARGUMENTS };

/* Booleans are bytes; the kernel takes four at a time. */
static const struct {
    const char *source;
    u32 quads;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"reduction:tiny", 1100},
    [WS_SIZE_SMALL] = {"reduction:small", 512 * 1024},
    [WS_SIZE_PAPER] = {"reduction:paper", 8 * 1024 * 1024},
};

enum ws_status ws_reduction_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 quads = inputs[size].quads;
    const struct ws_argument arguments[ARGUMENTS] = {
        [VALUES] = {WS_ARGUMENT_BUFFER, "values", (u64)quads * 4, NULL},
        [PARTIAL] = {WS_ARGUMENT_BUFFER, "partial", ITEMS * sizeof(u32), NULL},
        [QUADS] = {WS_ARGUMENT_SCALAR, "quads", sizeof quads, &quads},
    };
    *launch =
        (struct ws_ndrange){.kernel = "reduction", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 *values = launch->arguments[VALUES].data;
    for (u64 n = 0; n < launch->arguments[VALUES].bytes; n++)
        values[n] = (u8)ws_random_range(&seed, 0, 1);
    return WS_STATUS_ok;
}

static u32 count(const struct ws_argument *values)
{
    const u8 *value = values->data;
    u32 sum = 0;
    for (u64 n = 0; n < values->bytes; n++)
        sum += value[n];
    return sum;
}

enum ws_status ws_reduction_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_reduction_prepare(size, seed, &input, error));
    const u32 expected = count(&input.arguments[VALUES]);
    enum ws_status status = ws_launch_equal(launch, &input, VALUES, 1, error);
    ws_launch_release(&input);

    const u32 *partial = launch->arguments[PARTIAL].data;
    if (status == WS_STATUS_ok && partial[0] != expected)
        status = ws_fail(error, WS_STATUS_mismatch, "%s: the sum is %u instead of %u", launch->source, partial[0], expected);
    return status;
}
