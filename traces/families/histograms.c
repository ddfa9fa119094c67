#include "families/histograms.h"

#include "base/error.h"
#include "base/random.h"

enum { DATA, PARTIAL, ELEMENTS, ARGUMENTS };

enum { HISTOGRAM, MERGED, HISTOGRAMS, MERGE_ARGUMENTS };

static u32 groups(const struct ws_ndrange *launch)
{
    return launch->global[0] / launch->local[0];
}

enum ws_status ws_histograms_prepare(struct ws_ndrange *launch, u32 elements, u32 element_bytes, u32 bins, u64 seed,
                                     struct ws_error *error)
{
    const struct ws_argument arguments[ARGUMENTS] = {
        [DATA] = {WS_ARGUMENT_BUFFER, "data", (u64)elements * element_bytes, NULL},
        [PARTIAL] = {WS_ARGUMENT_BUFFER, "partial", (u64)groups(launch) * bins * sizeof(u32), NULL},
        [ELEMENTS] = {WS_ARGUMENT_SCALAR, "elements", sizeof elements, &elements},
    };
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32 *data = launch->arguments[DATA].data;
    for (u64 n = 0; n < launch->arguments[DATA].bytes / sizeof *data; n++)
        data[n] = (u32)ws_random(&seed);
    return WS_STATUS_ok;
}

enum ws_status ws_histograms_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, u32 element_bytes, u32 bins,
                                   struct ws_error *error)
{
    const u8 *data = prepared->arguments[DATA].data;
    u32 *partial = prepared->arguments[PARTIAL].data;
    for (u64 n = 0; n < prepared->arguments[DATA].bytes; n++) {
        const u32 item = (u32)(n / element_bytes % launch->global[0]);
        partial[item / launch->local[0] * bins + data[n] / (256 / bins)]++;
    }
    const enum ws_status status = ws_launch_agrees(launch, prepared, NULL, error);
    ws_launch_release(prepared);
    return status;
}

enum ws_status ws_histogram_merge_prepare(struct ws_ndrange *launch, u32 histograms, u32 bins, u64 seed, struct ws_error *error)
{
    const struct ws_argument arguments[MERGE_ARGUMENTS] = {
        [HISTOGRAM] = {WS_ARGUMENT_BUFFER, "histogram", groups(launch) * sizeof(u32), NULL},
        [MERGED] = {WS_ARGUMENT_BUFFER, "partial", (u64)histograms * bins * sizeof(u32), NULL},
        [HISTOGRAMS] = {WS_ARGUMENT_SCALAR, "histograms", sizeof histograms, &histograms},
    };
    WS_TRY(ws_launch_arguments(launch, arguments, MERGE_ARGUMENTS, error));
    u32 *partial = launch->arguments[MERGED].data;
    for (u64 n = 0; n < (u64)histograms * bins; n++)
        partial[n] = ws_random_range(&seed, 0, 1000);
    return WS_STATUS_ok;
}

enum ws_status ws_histogram_merge_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, u32 bins,
                                        struct ws_error *error)
{
    const u32 *partial = prepared->arguments[MERGED].data;
    u32 *histogram = prepared->arguments[HISTOGRAM].data;
    for (u64 n = 0; n < prepared->arguments[MERGED].bytes / sizeof *partial; n++)
        if (n % bins < groups(launch))
            histogram[n % bins] += partial[n];
    const enum ws_status status = ws_launch_agrees(launch, prepared, NULL, error);
    ws_launch_release(prepared);
    return status;
}
