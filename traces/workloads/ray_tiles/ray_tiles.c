#include "families/rays.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(ray_tiles, "xiang2014", 9, "ray_render in work-groups of 192 (Xiang 2014, Table 2: RayTracing)");
SHARES(ray_render);

enum { REGISTERS = 64 }; /* of a thread, Table 2: 12288 a block */

static const struct ws_rays sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"ray_tiles:tiny", {1, 1}, {16, 12}},
    [WS_SIZE_SMALL] = {"ray_tiles:small", {8, 10}, {16, 12}},
    [WS_SIZE_PAPER] = {"ray_tiles:paper", {16, 32}, {16, 12}},
};

enum ws_status ws_ray_tiles_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_rays_prepare(&sizes[size], seed, launch, error));
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_ray_tiles_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_rays_check(&sizes[size], launch, seed, error);
}
