#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/pictures.h"

WORKLOAD(lighting, "rogers2015", 4, "deferred lighting, a path for each of eight materials (Rogers 2015: Lighting)");

enum { PLACES, NORMALS, COLOURS, MATERIALS, LIGHTS, PIXELS, LIGHT_COUNT, ARGUMENTS };

enum { GLOWING, MATTE, ROUGH, PLASTIC, METAL, CLOTH, SKIN, CAR_PAINT, KINDS };

/* A work-group, and about how wide an object is, in pixels. */
enum { ITEMS_X = 16, ITEMS_Y = 8, OBJECT = 12 };

/* In work-groups. */
static const struct {
    const char *source;
    u32 columns, rows, lights;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"lighting:tiny", 1, 1, 24},
    [WS_SIZE_SMALL] = {"lighting:small", 8, 12, 24},
    [WS_SIZE_PAPER] = {"lighting:paper", 30, 40, 24},
};

static const double tolerances[ARGUMENTS] = {[PIXELS] = 1e-5};

static float between(float least, float most, u64 *seed)
{
    return least + (most - least) * (float)ws_random_range(seed, 0, 1 << 20) / (float)(1 << 20);
}

/* The centre of one of the objects that the picture is strewn with, one in every square of OBJECT pixels. */
static void object_at(u64 seed, i32 column, i32 row, i32 centre[2], u32 *object)
{
    u64 state = seed ^ ((u64)(u32)(column + 1) << 32 | (u32)(row + 1));
    ws_random(&state);
    centre[0] = column * OBJECT + (i32)ws_random_range(&state, 0, OBJECT - 1);
    centre[1] = row * OBJECT + (i32)ws_random_range(&state, 0, OBJECT - 1);
    *object = (u32)ws_random(&state);
}

/* Which object a pixel shows: that with the nearest centre. */
static u32 object_of(u64 seed, i32 x, i32 y)
{
    i32 nearest = INT32_MAX;
    u32 object = 0;
    for (i32 n = 0; n < 9; n++) {
        i32 centre[2];
        u32 other;
        object_at(seed, x / OBJECT + n % 3 - 1, y / OBJECT + n / 3 - 1, centre, &other);
        const i32 square = (centre[0] - x) * (centre[0] - x) + (centre[1] - y) * (centre[1] - y);
        if (square < nearest) {
            nearest = square;
            object = other;
        }
    }
    return object;
}

/* Places on an uneven wall, four away and four wide; normals by its slopes. relief has a pixel more on every side. */
static void draw_pixel(struct ws_ndrange *launch, const u8 *relief, u64 seed, u32 x, u32 y)
{
    const u32 width = launch->global[0], pixel = y * width + x, row = width + 2;
    const u8 *at = relief + (y + 1) * row + x + 1;
    float *place = (float *)launch->arguments[PLACES].data + 4 * pixel;
    float *normal = (float *)launch->arguments[NORMALS].data + 4 * pixel;
    float *colour = (float *)launch->arguments[COLOURS].data + 4 * pixel;
    place[2] = 4.0f + (float)*at / 256.0f;
    place[0] = ((float)x / (float)width - 0.5f) * place[2];
    place[1] = ((float)y / (float)launch->global[1] - 0.5f) * place[2];
    const float slope_x = (float)(at[1] - at[-1]) / 32.0f, slope_y = (float)(at[row] - *(at - row)) / 32.0f;
    const float length = sqrtf(slope_x * slope_x + slope_y * slope_y + 1.0f);
    normal[0] = slope_x / length;
    normal[1] = slope_y / length;
    normal[2] = -1.0f / length;
    u64 object = object_of(seed, (i32)x, (i32)y);
    ((u32 *)launch->arguments[MATERIALS].data)[pixel] = ws_random_range(&object, 0, KINDS - 1);
    normal[3] = between(0.1f, 1, &object);
    for (u32 d = 0; d < 3; d++)
        colour[d] = between(0.1f, 1, &object);
}

static enum ws_status draw(struct ws_ndrange *launch, u64 seed, struct ws_error *error)
{
    const u32 width = launch->global[0], height = launch->global[1];
    u8 *relief = malloc((width + 2) * (height + 2));
    if (!relief)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a picture of %u x %u", width, height);
    ws_picture_draw(relief, width + 2, height + 2, 0, 0, WS_PICTURE_ENDLESS, seed);
    for (u32 y = 0; y < height; y++)
        for (u32 x = 0; x < width; x++)
            draw_pixel(launch, relief, seed, x, y);
    free(relief);
    float(*lights)[2][4] = launch->arguments[LIGHTS].data;
    for (u32 n = 0; n < *(u32 *)launch->arguments[LIGHT_COUNT].data; n++)
        for (u32 d = 0; d < 4; d++) {
            lights[n][0][d] = d == 3 ? between(1, 2.5f, &seed) : d == 2 ? between(2.5f, 4, &seed) : between(-2.5f, 2.5f, &seed);
            lights[n][1][d] = d == 3 ? 0.0f : between(0.2f, 1, &seed);
        }
    return WS_STATUS_ok;
}

enum ws_status ws_lighting_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 width = inputs[size].columns * ITEMS_X, height = inputs[size].rows * ITEMS_Y, count = width * height;
    u32 light_count = inputs[size].lights;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PLACES] = {WS_ARGUMENT_BUFFER, "places", count * 4 * sizeof(float), NULL},
        [NORMALS] = {WS_ARGUMENT_BUFFER, "normals", count * 4 * sizeof(float), NULL},
        [COLOURS] = {WS_ARGUMENT_BUFFER, "colours", count * 4 * sizeof(float), NULL},
        [MATERIALS] = {WS_ARGUMENT_BUFFER, "materials", count * sizeof(u32), NULL},
        [LIGHTS] = {WS_ARGUMENT_BUFFER, "lights", light_count * 8 * sizeof(float), NULL},
        [PIXELS] = {WS_ARGUMENT_BUFFER, "pixels", count * 4 * sizeof(float), NULL},
        [LIGHT_COUNT] = {WS_ARGUMENT_SCALAR, "light_count", sizeof light_count, &light_count},
    };
    *launch = (struct ws_ndrange){
        .kernel = "lighting", .source = inputs[size].source, .global = {width, height, 1}, .local = {ITEMS_X, ITEMS_Y, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    const enum ws_status status = draw(launch, seed, error);
    if (status != WS_STATUS_ok)
        ws_launch_release(launch);
    return status;
}

/* ---- The same in double precision, light by light, the materials' terms by angles ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double a[3])
{
    const double length = sqrt(dot(a, a));
    for (u32 d = 0; d < 3; d++)
        a[d] /= length;
}

static double facets(double halfway, double view, double width)
{
    const double angle = acos(halfway);
    const double spread = exp(-pow(tan(angle), 2) / width) / (width * pow(halfway, 4));
    return fmin(8, spread * (0.1 + 0.9 * pow(1 - view, 5)));
}

/* What the material returns of its own colour, and of the light's. */
struct response {
    double coloured, white;
};

static struct response respond(u32 material, double parameter, const double normal[3], const double eye[3], const double light[3])
{
    double middle[3] = {light[0] + eye[0], light[1] + eye[1], light[2] + eye[2]};
    unit(middle);
    const double falling = dot(normal, light), lit = fmax(falling, 0), view = fmax(dot(normal, eye), 0.05);
    const double halfway = fmin(1, fmax(0.05, dot(normal, middle))), square = parameter * parameter;
    const double beside = fmax(0, dot(light, eye) - falling * dot(normal, eye));
    const double rough = 1 - square / (2 * (square + 0.33)) + 0.45 * square / (square + 0.09) * beside / fmax(lit, view);
    switch (material) {
    case ROUGH:
        return (struct response){lit * rough, 0};
    case PLASTIC:
        return (struct response){lit, lit * pow(halfway, 8 + 56 * parameter)};
    case METAL:
        return (struct response){lit * facets(halfway, view, 0.05 + 0.2 * parameter), 0};
    case CLOTH:
        return (struct response){lit, lit * parameter * pow(1 - fmin(view, 1), 3)};
    case SKIN:
        return (struct response){fmax(falling + parameter, 0) / (1 + parameter), 0.2 * lit * pow(halfway, 16)};
    case CAR_PAINT:
        return (struct response){lit, lit * (pow(halfway, 12) * parameter / 2 + facets(halfway, view, 0.05))};
    default:
        return (struct response){lit, 0};
    }
}

static void look(const struct ws_ndrange *input, u32 pixel, float seen[4])
{
    const float *place = (const float *)input->arguments[PLACES].data + 4 * pixel;
    const float *normals = (const float *)input->arguments[NORMALS].data + 4 * pixel;
    const float *colour = (const float *)input->arguments[COLOURS].data + 4 * pixel;
    const float(*lights)[2][4] = input->arguments[LIGHTS].data;
    const u32 material = ((const u32 *)input->arguments[MATERIALS].data)[pixel];
    double sum[3], eye[3], normal[3], light[3];
    for (u32 d = 0; d < 3; d++) {
        sum[d] = (material == GLOWING ? 1 : 0.05) * (double)colour[d];
        eye[d] = -(double)place[d];
        normal[d] = (double)normals[d];
    }
    unit(eye);
    const u32 count = material == GLOWING ? 0 : *(const u32 *)input->arguments[LIGHT_COUNT].data;
    for (u32 n = 0; n < count; n++) {
        for (u32 d = 0; d < 3; d++)
            light[d] = (double)lights[n][0][d] - (double)place[d];
        const double near = fmax(0, 1 - dot(light, light) / pow((double)lights[n][0][3], 2));
        unit(light);
        const struct response response = respond(material, (double)normals[3], normal, eye, light);
        for (u32 d = 0; d < 3; d++)
            sum[d] += near * near * (double)lights[n][1][d] * (response.coloured * (double)colour[d] + response.white);
    }
    for (u32 d = 0; d < 3; d++)
        seen[d] = (float)sum[d];
}

enum ws_status ws_lighting_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_lighting_prepare(size, seed, &expected, error));
    float(*seen)[4] = expected.arguments[PIXELS].data;
    for (u32 pixel = 0; pixel < expected.global[0] * expected.global[1]; pixel++)
        look(&expected, pixel, seen[pixel]);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
