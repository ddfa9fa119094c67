#include "families/rays.h"
#include "workload.h"

WORKLOAD(ray_render, "anantpur2015", 9,
         "ray tracing of spheres over a plane, with shadows and reflections (Anantpur 2015, Table II: render)");

static const struct ws_scene scene = {{{0, -1.4f, 0, 0}, {-1.2f, 0, -4, 0.9f}, {1.2f, 0.1f, -4.5f, 0.9f}, {0, 0.6f, -6, 1.2f}},
                                      1.0f};

static const struct ws_rays sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"ray_render:tiny", &scene, {1, 1}, {16, 8}},
    [WS_SIZE_SMALL] = {"ray_render:small", &scene, {8, 12}, {16, 8}},
    [WS_SIZE_PAPER] = {"ray_render:paper", &scene, {16, 32}, {16, 8}},
};

enum ws_status ws_ray_render_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_rays_prepare(&sizes[size], seed, launch, error);
}

enum ws_status ws_ray_render_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_rays_check(&sizes[size], launch, seed, error);
}
