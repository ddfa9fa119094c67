#include "workload.h"

#include "base/error.h"

WORKLOAD(stencil_columns_32, "xiang2014", 15, "stencil_columns in blocks of one warp (Xiang 2014, section 6.3: ST)");
SHARES(stencil_columns);

enum { WIDE = 32, HIGH = 1 };

enum ws_status ws_stencil_columns_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const sources[WS_SIZES] = {"stencil_columns_32:tiny", "stencil_columns_32:small",
                                                  "stencil_columns_32:paper"};
    WS_TRY(ws_stencil_columns_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->local[0] = WIDE;
    launch->local[1] = HIGH;
    return WS_STATUS_ok;
}

enum ws_status ws_stencil_columns_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_stencil_columns_check(launch, size, seed, error);
}
