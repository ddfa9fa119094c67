#include "families/convolution.h"

#include "base/error.h"

WORKLOAD(conv_texture_rows, "xiang2014", 1, "rows of a texture convolved with a filter (Xiang 2014, Table 2: ConvolutionTexture)");

enum { WIDE = 16, HIGH = 12, REGISTERS = 24 }; /* work-items of a work-group; of a thread, Table 2: 4608 a block, misprinted 3068 */

/* In work-groups. */
static const struct {
    const char *source;
    u32 width, height;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"conv_texture_rows:tiny", 2, 2},
    [WS_SIZE_SMALL] = {"conv_texture_rows:small", 26, 10},
    [WS_SIZE_PAPER] = {"conv_texture_rows:paper", 194, 25},
};

enum ws_status ws_conv_texture_rows_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 width = inputs[size].width * WIDE, height = inputs[size].height * HIGH;
    *launch = (struct ws_ndrange){.kernel = "conv_texture_rows",
                                  .source = inputs[size].source,
                                  .global = {width, height, 1},
                                  .local = {WIDE, HIGH, 1},
                                  .registers = REGISTERS};
    return ws_convolution_prepare_texture(launch, width, height, seed, error);
}

enum ws_status ws_conv_texture_rows_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange prepared;
    WS_TRY(ws_conv_texture_rows_prepare(size, seed, &prepared, error));
    return ws_convolution_check(launch, &prepared, true, WS_BORDER_NEAREST, error);
}
