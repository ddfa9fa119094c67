/* Pictures of spheres over a plane by ray tracing: the launch and the check that several workloads share. */
#pragma once

#include "warpsweep/frontend.h"

enum { WS_RAYS_OBJECTS = 4 }; /* a plane and three spheres */

/* A scene: the plane's height in [0][1], of a sphere its centre and radius. A seed moves each sphere by at most 0.3 times moves in
 * each direction. */
struct ws_scene {
    float objects[WS_RAYS_OBJECTS][4], moves;
};

/* A picture: groups work-groups of items work-items in x and y, a pixel each. */
struct ws_rays {
    const char *source;
    const struct ws_scene *scene;
    u32 groups[2], items[2];
};

/* A workload's two functions, for the kernel of ray_render. */
enum ws_status ws_rays_prepare(const struct ws_rays *rays, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
enum ws_status ws_rays_check(const struct ws_rays *rays, const struct ws_ndrange *launch, u64 seed, struct ws_error *error);
