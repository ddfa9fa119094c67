#include "families/rays.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(ray_tiles, "xiang2014", 9, "ray_render of another scene, columns of 192 pixels (Xiang 2014, Table 2: RayTracing)");
SHARES(ray_render);

enum { REGISTERS = 64 }; /* of a thread, Table 2: 12288 a block */

/* Chosen so that warps are as unlike as those of Figures 4, 6 and 12 under dispatch by blocks (docs/accuracy/baselines.md). */
static const struct ws_scene scene = {
    {{0, -0.6f, 0, 0}, {-2.3f, -0.15f, -4.56f, 0.67f}, {2.62f, -0.25f, -4.76f, 0.47f}, {-0.16f, -0.13f, -6.03f, 2.43f}}, 0.1f};

static const struct ws_rays sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"ray_tiles:tiny", &scene, {1, 1}, {1, 192}},
    [WS_SIZE_SMALL] = {"ray_tiles:small", &scene, {96, 1}, {1, 192}},
    [WS_SIZE_PAPER] = {"ray_tiles:paper", &scene, {256, 1}, {1, 192}},
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
