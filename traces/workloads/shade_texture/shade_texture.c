#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/pictures.h"

WORKLOAD(shade_texture, "rogers2015", 10, "a wall in perspective, five textures a pixel (Rogers 2015: Game 1, Game 2)");

enum { COLOURS, SLOPES, GLOSS, BAKED, SURROUNDINGS, PIXELS, VIEW, LIGHT, SIDE, ARGUMENTS };

enum { ITEMS_X = 16, ITEMS_Y = 8, TEXTURES = SURROUNDINGS + 1, CHANNELS = 4, TILE = 4 };

/* In work-groups; side of a texture in texels. */
static const struct {
    const char *source;
    u32 columns, rows, side;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"shade_texture:tiny", 1, 1, 32},
    [WS_SIZE_SMALL] = {"shade_texture:small", 8, 12, 256},
    [WS_SIZE_PAPER] = {"shade_texture:paper", 32, 48, 256},
};

static const float light[4] = {0.36f, 0.48f, 0.8f, 0};

static const double tolerances[ARGUMENTS] = {[PIXELS] = 5e-5};

/* About a texel a pixel: from a pixel to a place of the wall, which is turned, and further away to the right and below. */
static void draw_view(float view[8], u32 side, u64 *seed)
{
    const float sine = (float)ws_random_range(seed, 10, 60) / 100.0f, step = 1.0f / (float)side;
    view[0] = view[4] = step * sqrtf(1.0f - sine * sine);
    view[1] = -step * sine;
    view[3] = step * sine;
    view[2] = (float)ws_random_range(seed, 0, 1000) / 1000.0f;
    view[5] = (float)ws_random_range(seed, 0, 1000) / 1000.0f;
    view[6] = 0.0004f;
    view[7] = 0.0008f;
}

static u32 place_of(u32 x, u32 y, u32 side)
{
    return (y / TILE * (side / TILE) + x / TILE) * TILE * TILE + y % TILE * TILE + x % TILE;
}

/* A picture in every channel of every texture. */
static enum ws_status draw(struct ws_ndrange *launch, u32 side, u64 *seed, struct ws_error *error)
{
    u8 *picture = malloc(side * side);
    if (!picture)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a texture of %u x %u", side, side);
    for (u32 n = 0; n < TEXTURES * CHANNELS; n++) {
        u8 *texels = launch->arguments[n / CHANNELS].data;
        ws_picture_draw(picture, side, side, 0, 0, side, ws_random(seed));
        for (u32 y = 0; y < side; y++)
            for (u32 x = 0; x < side; x++)
                texels[place_of(x, y, side) * CHANNELS + n % CHANNELS] = picture[y * side + x];
    }
    free(picture);
    return WS_STATUS_ok;
}

enum ws_status ws_shade_texture_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 width = inputs[size].columns * ITEMS_X, height = inputs[size].rows * ITEMS_Y;
    u32 side = inputs[size].side;
    const u64 bytes = (u64)side * side * CHANNELS;
    float view[8], from[4] = {light[0], light[1], light[2], light[3]};
    draw_view(view, side, &seed);
    const struct ws_argument arguments[ARGUMENTS] = {
        [COLOURS] = {WS_ARGUMENT_BUFFER, "colours", bytes, NULL},
        [SLOPES] = {WS_ARGUMENT_BUFFER, "slopes", bytes, NULL},
        [GLOSS] = {WS_ARGUMENT_BUFFER, "gloss", bytes, NULL},
        [BAKED] = {WS_ARGUMENT_BUFFER, "baked", bytes, NULL},
        [SURROUNDINGS] = {WS_ARGUMENT_BUFFER, "surroundings", bytes, NULL},
        [PIXELS] = {WS_ARGUMENT_BUFFER, "pixels", (u64)width * height * 4 * sizeof(float), NULL},
        [VIEW] = {WS_ARGUMENT_SCALAR, "view", sizeof view, view},
        [LIGHT] = {WS_ARGUMENT_SCALAR, "light", sizeof from, from},
        [SIDE] = {WS_ARGUMENT_SCALAR, "side", sizeof side, &side},
    };
    *launch = (struct ws_ndrange){
        .kernel = "shade_texture", .source = inputs[size].source, .global = {width, height, 1}, .local = {ITEMS_X, ITEMS_Y, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    const enum ws_status status = draw(launch, side, &seed, error);
    if (status != WS_STATUS_ok)
        ws_launch_release(launch);
    return status;
}

/* A channel at a place: the texels around, each with its share. */
static double sample(const u8 *texture, u32 channel, double x, double y, u32 side)
{
    const double across = x * side - 0.5, down = y * side - 0.5, left = floor(across), top = floor(down);
    double sum = 0;
    for (u32 n = 0; n < 4; n++) {
        const double u = left + n % 2, v = top + n / 2, share = (1 - fabs(across - u)) * (1 - fabs(down - v));
        const u32 column = (u32)(i32)u % side, row = (u32)(i32)v % side; /* side is a power of two */
        sum += share * texture[place_of(column, row, side) * CHANNELS + channel] / 255;
    }
    return sum;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void shade(const struct ws_ndrange *input, double x, double y, u32 side, float pixel[4])
{
    const float *view = input->arguments[VIEW].data;
    const double away = 1 / ((double)view[6] * x + (double)view[7] * y + 1), towards[3] = {0.36, 0.48, 0.8};
    const double u = away * ((double)view[0] * x + (double)view[1] * y + (double)view[2]);
    const double v = away * ((double)view[3] * x + (double)view[4] * y + (double)view[5]);
    const double length = sqrt(1 + away * away), eye[3] = {0, away / length, 1 / length};

    double normal[3] = {sample(input->arguments[SLOPES].data, 0, u, v, side) - 0.5,
                        sample(input->arguments[SLOPES].data, 1, u, v, side) - 0.5, 1};
    const double steep = sqrt(dot(normal, normal));
    for (u32 d = 0; d < 3; d++)
        normal[d] /= steep;
    double mirrored[3];
    for (u32 d = 0; d < 3; d++)
        mirrored[d] = 2 * dot(normal, eye) * normal[d] - eye[d];
    const double shine = sample(input->arguments[GLOSS].data, 0, u, v, side);
    const double highlight = pow(fmin(1, fmax(0.01, dot(mirrored, towards))), 4 + 28 * shine);
    for (u32 d = 0; d < CHANNELS; d++) {
        const double falling = fmax(0, dot(normal, towards)) + sample(input->arguments[BAKED].data, d, u, v, side);
        pixel[d] = (float)(falling * sample(input->arguments[COLOURS].data, d, u, v, side) +
                           sample(input->arguments[GLOSS].data, 1, u, v, side) * highlight +
                           sample(input->arguments[GLOSS].data, 2, u, v, side) *
                               sample(input->arguments[SURROUNDINGS].data, d, mirrored[0], mirrored[1], side));
    }
}

/* Channel by channel in double precision. */
enum ws_status ws_shade_texture_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_shade_texture_prepare(size, seed, &expected, error));
    float(*pixels)[4] = expected.arguments[PIXELS].data;
    const u32 width = expected.global[0], height = expected.global[1];
    for (u32 y = 0; y < height; y++)
        for (u32 x = 0; x < width; x++)
            shade(&expected, x + 0.5, y + 0.5, inputs[size].side, pixels[y * width + x]);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
