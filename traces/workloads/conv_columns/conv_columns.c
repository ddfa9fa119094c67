#include "families/convolution.h"

#include "base/error.h"

WORKLOAD(conv_columns, "anantpur2015", 18,
         "columns of an image convolved with a filter (Anantpur and Govindarajan 2015, Table II: convolutionColumnsKernel)");

enum { WIDE = 16, HIGH = 8, RESULTS = 8 }; /* work-items of a work-group, results of each */

/* In work-groups. */
static const struct {
    const char *source;
    u32 width, height;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"conv_columns:tiny", 2, 1},
    [WS_SIZE_SMALL] = {"conv_columns:small", 24, 6},
    [WS_SIZE_PAPER] = {"conv_columns:paper", 192, 48},
};

enum ws_status ws_conv_columns_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 width = inputs[size].width * WIDE, height = inputs[size].height * HIGH;
    *launch = (struct ws_ndrange){
        .kernel = "conv_columns", .source = inputs[size].source, .global = {width, height, 1}, .local = {WIDE, HIGH, 1}};
    return ws_convolution_prepare(launch, width, height * RESULTS, seed, error);
}

enum ws_status ws_conv_columns_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_conv_columns_prepare(size, seed, &prepared, error));
    return ws_convolution_check(launch, &prepared, false, WS_BORDER_ZERO, error);
}
