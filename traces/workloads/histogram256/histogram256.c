#include "families/histograms.h"

#include "base/error.h"

WORKLOAD(histogram256, "anantpur2015", 21,
         "partial histograms of 256 bins, local atomics (Anantpur and Govindarajan 2015, Table II: histogram256Kernel)");

enum { ITEMS = 192, BINS = 256, ELEMENT = 4 }; /* of a work-group; bytes */

static const struct {
    const char *source;
    u32 groups, elements;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"histogram256:tiny", 2, 1500},
    [WS_SIZE_SMALL] = {"histogram256:small", 48, 240 * 1000},
    [WS_SIZE_PAPER] = {"histogram256:paper", 240, 8 * 1024 * 1024},
};

enum ws_status ws_histogram256_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    *launch = (struct ws_ndrange){.kernel = "histogram256",
                                  .source = inputs[size].source,
                                  .global = {ITEMS * inputs[size].groups, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    return ws_histograms_prepare(launch, inputs[size].elements, ELEMENT, BINS, seed, error);
}

enum ws_status ws_histogram256_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_histogram256_prepare(size, seed, &prepared, error));
    return ws_histograms_check(launch, &prepared, ELEMENT, BINS, error);
}
