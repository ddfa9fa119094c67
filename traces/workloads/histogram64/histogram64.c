#include "families/histograms.h"

#include "base/error.h"

WORKLOAD(histogram64, "anantpur2015", 19,
         "partial histograms of 64 bins, counters of a byte (Anantpur and Govindarajan 2015, Table II: histogram64Kernel)");

enum { ITEMS = 64, BINS = 64, ELEMENT = 16 }; /* of a work-group; bytes */

static const struct {
    const char *source;
    u32 groups, elements;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram64:tiny", 2, 400},
    [WS_SIZE_SMALL] = {"histogram64:small", 100, 45000},
    [WS_SIZE_PAPER] = {"histogram64:paper", 4370, 1536 * 1024},
};

enum ws_status ws_histogram64_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    *launch = (struct ws_ndrange){.kernel = "histogram64",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    return ws_histograms_prepare(launch, inputs[size].elements, ELEMENT, BINS, seed, error);
}

enum ws_status ws_histogram64_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_histogram64_prepare(size, seed, &prepared, error));
    return ws_histograms_check(launch, &prepared, ELEMENT, BINS, error);
}
