#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(histogram, "narasiman2011", 11, "histogram of characters, private bins of a byte (Narasiman 2011, Table 2: histogram)");

#define ITEMS 1024u /* in one work-group */

enum { TEXT, PARTIAL, HISTOGRAM, QUADS, RUNS, ARGUMENTS };

enum { BINS = 128 };

/* The kernel takes four characters at a time. */
static const struct {
    const char *source;
    u32 quads;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram:tiny", 12},
    [WS_SIZE_SMALL] = {"histogram:small", 128 * 1024},
    [WS_SIZE_PAPER] = {"histogram:paper", 4 * 1024 * 1024},
};

/* Letters roughly as frequent as in English, out of 100, otherwise any printable character. */
static const char frequent[] = "               eeeeeeeeeettttttttaaaaaaaoooooooiiiiiinnnnnnssssshhhhhrrrrrlllldddccuumfgp,.\nT";

static u8 random_character(u64 *random)
{
    const u32 n = ws_random_range(random, 0, 99);
    return (u8)(n < sizeof frequent - 1 ? (u32)frequent[n] : ws_random_range(random, ' ', '~'));
}

enum ws_status ws_histogram_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 quads = inputs[size].quads, runs = ws_min(quads, ITEMS);
    const struct ws_argument arguments[ARGUMENTS] = {
        [TEXT] = {WS_ARGUMENT_BUFFER, "text", (u64)quads * 4, NULL},
        [PARTIAL] = {WS_ARGUMENT_BUFFER, "partial", (u64)runs * BINS * sizeof(u32), NULL},
        [HISTOGRAM] = {WS_ARGUMENT_BUFFER, "histogram", BINS * sizeof(u32), NULL},
        [QUADS] = {WS_ARGUMENT_SCALAR, "quads", sizeof quads, &quads},
        [RUNS] = {WS_ARGUMENT_SCALAR, "runs", sizeof runs, &runs},
    };
    *launch =
        (struct ws_ndrange){.kernel = "histogram", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 *text = launch->arguments[TEXT].data;
    for (u64 n = 0; n < launch->arguments[TEXT].bytes; n++)
        text[n] = random_character(&seed);
    return WS_STATUS_ok;
}

enum ws_status ws_histogram_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_histogram_prepare(size, seed, &expected, error));
    const u8 *text = expected.arguments[TEXT].data;
    u32 *histogram = expected.arguments[HISTOGRAM].data;
    for (u64 n = 0; n < expected.arguments[TEXT].bytes; n++)
        histogram[text[n]]++;
    enum ws_status status = ws_launch_equal(launch, &expected, TEXT, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, HISTOGRAM, sizeof(u32), error);
    ws_launch_release(&expected);
    return status;
}
