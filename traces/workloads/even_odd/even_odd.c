#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(even_odd, "fung2007", 8, "a loop in which odd and even threads branch in turns (Fung 2007, Figure 7)");

enum { DATA, END, ARGUMENTS };

static const struct {
    const char *source;
    u32 groups, items;
    i32 end;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"even_odd:tiny", 1, 64, 128},
    [WS_SIZE_SMALL] = {"even_odd:small", 8, 256, 128},
    [WS_SIZE_PAPER] = {"even_odd:paper", 8, 256, 128},
};

enum ws_status ws_even_odd_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 items = inputs[size].items, threads = inputs[size].groups * items;
    i32 end = inputs[size].end;
    const struct ws_argument arguments[ARGUMENTS] = {
        [DATA] = {WS_ARGUMENT_BUFFER, "data", threads * sizeof(i32), NULL},
        [END] = {WS_ARGUMENT_SCALAR, "end", sizeof end, &end},
    };
    *launch =
        (struct ws_ndrange){.kernel = "even_odd", .source = inputs[size].source, .global = {threads, 1, 1}, .local = {items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    i32 *data = launch->arguments[DATA].data;
    for (u32 n = 0; n < threads; n++)
        data[n] = (i32)ws_random_range(&seed, 0, 1000000);
    return WS_STATUS_ok;
}

/* Everyone counts the odd numbers below end. */
enum ws_status ws_even_odd_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_even_odd_prepare(size, seed, &expected, error));
    i32 *data = expected.arguments[DATA].data;
    for (u64 n = 0; n < expected.arguments[DATA].bytes / sizeof *data; n++)
        data[n] += inputs[size].end / 2;
    const enum ws_status status = ws_launch_agrees(launch, &expected, NULL, error);
    ws_launch_release(&expected);
    return status;
}
