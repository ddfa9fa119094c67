#include "workload.h"

#include "base/error.h"

WORKLOAD(conv_texture_rows_32, "xiang2014", 15, "conv_texture_rows in blocks of one warp (Xiang 2014, section 6.3: CT)");
SHARES(conv_texture_rows);

enum { WIDE = 16, HIGH = 2 };

enum ws_status ws_conv_texture_rows_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const sources[WS_SIZES] = {"conv_texture_rows_32:tiny", "conv_texture_rows_32:small",
                                                  "conv_texture_rows_32:paper"};
    WS_TRY(ws_conv_texture_rows_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->local[0] = WIDE;
    launch->local[1] = HIGH;
    return WS_STATUS_ok;
}

enum ws_status ws_conv_texture_rows_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_conv_texture_rows_check(launch, size, seed, error);
}
