#include "families/histograms.h"

#include "base/error.h"

WORKLOAD(histogram64_merge, "anantpur2015", 20,
         "partial histograms of 64 bins added (Anantpur and Govindarajan 2015, Table II: mergeHistogram64Kernel)");

enum { ITEMS = 256, BINS = 64 };

/* A work-group adds a bin; small is the paper's size, which is little work, tiny leaves bins out. */
static const struct {
    const char *source;
    u32 groups, histograms;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram64_merge:tiny", 3, 700},
    [WS_SIZE_SMALL] = {"histogram64_merge:small", 64, 4370},
    [WS_SIZE_PAPER] = {"histogram64_merge:paper", 64, 4370},
};

enum ws_status ws_histogram64_merge_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    *launch = (struct ws_ndrange){.kernel = "histogram64_merge",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    return ws_histogram_merge_prepare(launch, inputs[size].histograms, BINS, seed, error);
}

enum ws_status ws_histogram64_merge_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_histogram64_merge_prepare(size, seed, &prepared, error));
    return ws_histogram_merge_check(launch, &prepared, BINS, error);
}
