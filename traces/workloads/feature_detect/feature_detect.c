#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "data/pictures.h"

WORKLOAD(feature_detect, "rogers2015", 9, "corners of a picture by Harris' measure (Rogers 2015: feature detection)");

enum { PICTURE, CORNERS, WIDTH, HEIGHT, THRESHOLD, ARGUMENTS };

enum { TILE = 16 };

/* In tiles. */
static const struct {
    const char *source;
    u32 columns, rows;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"feature_detect:tiny", 1, 1},
    [WS_SIZE_SMALL] = {"feature_detect:small", 10, 8},
    [WS_SIZE_PAPER] = {"feature_detect:paper", 40, 30},
};

enum ws_status ws_feature_detect_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 width = inputs[size].columns * TILE, height = inputs[size].rows * TILE;
    i32 threshold = 100;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PICTURE] = {WS_ARGUMENT_BUFFER, "picture", width * height, NULL},
        [CORNERS] = {WS_ARGUMENT_BUFFER, "corners", width * height * sizeof(i32), NULL},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [HEIGHT] = {WS_ARGUMENT_SCALAR, "height", sizeof height, &height},
        [THRESHOLD] = {WS_ARGUMENT_SCALAR, "threshold", sizeof threshold, &threshold},
    };
    *launch = (struct ws_ndrange){
        .kernel = "feature_detect", .source = inputs[size].source, .global = {width, height, 1}, .local = {TILE, TILE, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_picture_draw(launch->arguments[PICTURE].data, width, height, 0, 0, WS_PICTURE_ENDLESS, seed);
    return WS_STATUS_ok;
}

/* A picture of whole numbers with room around it, so that windows need no tests. */
struct plane {
    i32 *values, width, height;
};

enum { ROOM = 4 };

static i32 *at(const struct plane *plane, i32 x, i32 y)
{
    return &plane->values[(y + ROOM) * (plane->width + 2 * ROOM) + x + ROOM];
}

/* Of Sobel: what is on one side less what is on the other, along an axis. */
static i32 slope(const struct plane *pixels, i32 x, i32 y, bool down)
{
    static const i32 weights[3] = {1, 2, 1};
    i32 sum = 0;
    for (i32 n = -1; n <= 1; n++)
        sum += weights[n + 1] * (down ? *at(pixels, x + n, y + 1) - *at(pixels, x + n, y - 1)
                                      : *at(pixels, x + 1, y + n) - *at(pixels, x - 1, y + n));
    return sum;
}

static i32 measure(const struct plane *pixels, i32 x, i32 y)
{
    i32 xx = 0, xy = 0, yy = 0;
    for (i32 v = y - 2; v <= y + 2; v++)
        for (i32 u = x - 2; u <= x + 2; u++) {
            const i32 across = slope(pixels, u, v, false), down = slope(pixels, u, v, true);
            xx += across * across;
            xy += across * down;
            yy += down * down;
        }
    const i32 a = xx >> 10, b = xy >> 10, c = yy >> 10;
    return a * c - b * b - ((a + c) / 4) * ((a + c) / 4);
}

/* Pixel by pixel without tiles: the border is repeated outside. */
static void find(const struct plane *pixels, const struct plane *measures, i32 threshold, i32 *corners)
{
    for (i32 y = -1; y <= pixels->height; y++)
        for (i32 x = -1; x <= pixels->width; x++)
            *at(measures, x, y) = measure(pixels, x, y);
    for (i32 y = 0; y < pixels->height; y++)
        for (i32 x = 0; x < pixels->width; x++) {
            const i32 own = *at(measures, x, y);
            bool greatest = own > threshold;
            for (i32 n = 0; n < 9; n++)
                greatest = greatest && own >= *at(measures, x + n % 3 - 1, y + n / 3 - 1);
            corners[y * pixels->width + x] = greatest ? own : 0;
        }
}

static void widen(const u8 *picture, const struct plane *pixels)
{
    for (i32 y = -ROOM; y < pixels->height + ROOM; y++)
        for (i32 x = -ROOM; x < pixels->width + ROOM; x++) {
            const i32 column = x < 0 ? 0 : x >= pixels->width ? pixels->width - 1 : x;
            const i32 row = y < 0 ? 0 : y >= pixels->height ? pixels->height - 1 : y;
            *at(pixels, x, y) = picture[row * pixels->width + column];
        }
}

enum ws_status ws_feature_detect_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_feature_detect_prepare(size, seed, &expected, error));
    const i32 width = (i32)expected.global[0], height = (i32)expected.global[1];
    const size_t places = (size_t)(width + 2 * ROOM) * (size_t)(height + 2 * ROOM);
    const struct plane pixels = {calloc(places, sizeof(i32)), width, height};
    const struct plane measures = {calloc(places, sizeof(i32)), width, height};
    enum ws_status status = WS_STATUS_ok;
    if (!pixels.values || !measures.values)
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        widen(expected.arguments[PICTURE].data, &pixels);
        find(&pixels, &measures, *(const i32 *)expected.arguments[THRESHOLD].data, expected.arguments[CORNERS].data);
        status = ws_launch_agrees(launch, &expected, NULL, error);
    }
    free(pixels.values);
    free(measures.values);
    ws_launch_release(&expected);
    return status;
}
