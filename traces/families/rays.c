#include "families/rays.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "workload.h"

enum { OBJECTS, COLOURS, PIXELS, COLUMNS, ROWS, ARGUMENTS };

enum { COUNT = WS_RAYS_OBJECTS, DEPTH = 5 /* reflections */ };

/* Of a channel, 255 at most. */
enum { TOLERANCE = 2 };

/* Part of a pixel by which a ray may be off: where a ray meets another object then, or none, the image jumps. Each reflection from
 * a sphere makes the error of single precision larger. */
static const double displacement = 0.05;

static float jitter(u64 *random)
{
    return (float)ws_random_range(random, 0, 600) / 1000.0f - 0.3f;
}

enum ws_status ws_rays_prepare(const struct ws_rays *rays, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const struct ws_scene *scene = rays->scene;
    u32 columns = rays->groups[0] * rays->items[0], rows = rays->groups[1] * rays->items[1];
    float objects[COUNT][4], colours[COUNT][4] = {{0}};
    for (u32 n = 0; n < COUNT; n++) {
        for (u32 d = 0; d < 4; d++)
            objects[n][d] = scene->objects[n][d] + (n > 0 && d < 3 ? scene->moves * jitter(&seed) : 0.0f);
        for (u32 d = 0; d < 3; d++)
            colours[n][d] = (float)ws_random_range(&seed, 0, 1000) / 1000.0f;
    }
    const struct ws_argument arguments[ARGUMENTS] = {
        [OBJECTS] = {WS_ARGUMENT_BUFFER, "objects", sizeof objects, objects},
        [COLOURS] = {WS_ARGUMENT_BUFFER, "colours", sizeof colours, colours},
        [PIXELS] = {WS_ARGUMENT_BUFFER, "pixels", (u64)columns * rows * sizeof(u32), NULL},
        [COLUMNS] = {WS_ARGUMENT_SCALAR, "width", sizeof columns, &columns},
        [ROWS] = {WS_ARGUMENT_SCALAR, "height", sizeof rows, &rows},
    };
    *launch = (struct ws_ndrange){
        .kernel = "ray_render", .source = rays->source, .global = {columns, rows, 1}, .local = {rays->items[0], rays->items[1], 1}};
    return ws_launch_arguments(launch, arguments, ARGUMENTS, error);
}

/* ---- The image in double precision, by recursion ---- */

struct vector {
    double x, y, z;
};

static struct vector add(struct vector a, double factor, struct vector b)
{
    return (struct vector){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

static double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector unit(struct vector a)
{
    return add((struct vector){0}, 1.0 / sqrt(dot(a, a)), a);
}

static struct vector vector_of(const float values[4])
{
    return (struct vector){(double)values[0], (double)values[1], (double)values[2]};
}

/* Where the ray meets an object for the first time, by the roots of its equation; not positive: nowhere. */
static double meet(struct vector from, struct vector along, const float (*objects)[4], u32 n)
{
    if (n == 0)
        return ((double)objects[0][1] - from.y) / along.y;
    const struct vector way = add(from, -1.0, vector_of(objects[n]));
    const double half = dot(along, way), rest = dot(way, way) - (double)objects[n][3] * (double)objects[n][3];
    const double root = sqrt(half * half - rest); /* no number where there is none, and never greater than 0 */
    return -half - root > 0.0 ? -half - root : root - half;
}

static bool is_lit(struct vector point, struct vector light, const float (*objects)[4])
{
    for (u32 n = 1; n < COUNT; n++)
        if (meet(point, light, objects, n) > 0.0)
            return false;
    return true;
}

static struct vector trace(struct vector from, struct vector along, const struct ws_ndrange *input, u32 depth)
{
    const float(*objects)[4] = input->arguments[OBJECTS].data, (*colours)[4] = input->arguments[COLOURS].data;
    double distance = 10000.0;
    u32 object = COUNT;
    for (u32 n = COUNT; n-- > 0;)
        if (meet(from, along, objects, n) > 0.0 && meet(from, along, objects, n) < distance)
            distance = meet(from, along, objects, object = n);
    if (object == COUNT || depth == 0)
        return (struct vector){0};

    const struct vector point = add(from, distance, along), colour = vector_of(colours[object]);
    const struct vector light = unit((struct vector){10.0 - point.x, 10.0 - point.y, 10.0 - point.z});
    const struct vector normal = object == 0 ? (struct vector){0, 1, 0} : unit(add(point, -1.0, vector_of(objects[object])));
    const struct vector outside = add(point, 1e-3, normal);
    const struct vector mirrored = unit(add(along, -2.0 * dot(normal, along), normal));
    struct vector sum = add((struct vector){0}, 0.05, colour);
    if (dot(normal, light) > 0.0 && is_lit(outside, light, objects)) {
        const double highlight = 0.8 * pow(fmax(0.0, dot(normal, unit(add(light, -1.0, along)))), 50.0);
        sum = add(add(sum, 0.3 * dot(normal, light), colour), highlight, (struct vector){1, 1, 1});
    }
    return add(sum, 0.8, trace(outside, mirrored, input, depth - 1));
}

static bool is_channel(u32 pixel, u32 channel, double value)
{
    const i32 wanted = (i32)(fmin(value, 1.0) * 255.0), found = (i32)(pixel >> 8 * channel & 255);
    return abs(found - wanted) <= TOLERANCE;
}

/* Whether a pixel has the colour that is seen at a place of the image. */
static bool is_seen(const struct ws_ndrange *input, double x, double y, u32 pixel)
{
    const double width = input->global[0], height = input->global[1], step = 2.0 / fmin(width, height);
    const struct vector along = unit((struct vector){(x - width / 2.0) * step, (y - height / 2.0) * step, -2.0});
    const struct vector colour = trace((struct vector){0}, along, input, DEPTH);
    return is_channel(pixel, 0, colour.x) && is_channel(pixel, 1, colour.y) && is_channel(pixel, 2, colour.z) && pixel >> 24 == 0;
}

static bool is_pixel(const struct ws_ndrange *input, u32 x, u32 y, u32 pixel)
{
    if (is_seen(input, x, y, pixel))
        return true;
    for (i32 dy = -1; dy <= 1; dy++)
        for (i32 dx = -1; dx <= 1; dx++)
            if (is_seen(input, x + dx * displacement, y + dy * displacement, pixel))
                return true;
    return false;
}

enum ws_status ws_rays_check(const struct ws_rays *rays, const struct ws_ndrange *launch, u64 seed, struct ws_error *error)
{
    struct ws_ndrange input;
    WS_TRY(ws_rays_prepare(rays, seed, &input, error));
    const u32 *pixels = launch->arguments[PIXELS].data;
    enum ws_status status = ws_launch_equal(launch, &input, OBJECTS, sizeof(float), error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &input, COLOURS, sizeof(float), error);
    for (u32 y = 0; y < input.global[1]; y++)
        for (u32 x = 0; x < input.global[0] && status == WS_STATUS_ok; x++)
            if (!is_pixel(&input, x, y, pixels[y * input.global[0] + x]))
                status = ws_fail(error, WS_STATUS_mismatch, "%s: pixel (%u, %u) is 0x%06X, which is not seen there", launch->source,
                                 x, y, pixels[y * input.global[0] + x]);
    ws_launch_release(&input);
    return status;
}
