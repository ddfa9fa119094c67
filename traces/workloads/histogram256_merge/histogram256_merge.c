#include "families/histograms.h"

#include "base/error.h"

WORKLOAD(histogram256_merge, "anantpur2015", 22,
         "partial histograms of 256 bins added (Anantpur and Govindarajan 2015, Table II: mergeHistogram256Kernel)");

enum { ITEMS = 256, BINS = 256 };

/* A work-group adds a bin; small is the paper's size, which is little work, tiny leaves bins out. */
static const struct {
    const char *source;
    u32 groups, histograms;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram256_merge:tiny", 4, 300},
    [WS_SIZE_SMALL] = {"histogram256_merge:small", 256, 240},
    [WS_SIZE_PAPER] = {"histogram256_merge:paper", 256, 240},
};

enum ws_status ws_histogram256_merge_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    *launch = (struct ws_ndrange){.kernel = "histogram256_merge",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    return ws_histogram_merge_prepare(launch, inputs[size].histograms, BINS, seed, error);
}

enum ws_status ws_histogram256_merge_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_histogram256_merge_prepare(size, seed, &prepared, error));
    return ws_histogram_merge_check(launch, &prepared, BINS, error);
}
