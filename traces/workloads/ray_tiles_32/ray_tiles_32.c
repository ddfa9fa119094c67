#include "workload.h"

#include "base/error.h"

WORKLOAD(ray_tiles_32, "xiang2014", 15, "ray_tiles in blocks of one warp (Xiang 2014, section 6.3: RAY)");
SHARES(ray_tiles);

enum { WIDE = 1, HIGH = 32 };

enum ws_status ws_ray_tiles_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const sources[WS_SIZES] = {"ray_tiles_32:tiny", "ray_tiles_32:small", "ray_tiles_32:paper"};
    WS_TRY(ws_ray_tiles_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->local[0] = WIDE;
    launch->local[1] = HIGH;
    return WS_STATUS_ok;
}

enum ws_status ws_ray_tiles_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_ray_tiles_check(launch, size, seed, error);
}
