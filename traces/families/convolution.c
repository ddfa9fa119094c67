#include "families/convolution.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1 };

enum { IMAGE, FILTER, RESULT, WIDTH, HEIGHT, ARGUMENTS };

/* Sums of 17 products of at most 16. */
static const double tolerances[ARGUMENTS] = {[RESULT] = 1e-5};

enum ws_status ws_convolution_prepare(struct ws_ndrange *launch, u32 width, u32 height, u64 seed, struct ws_error *error)
{
    const u64 bytes = (u64)width * height * sizeof(float);
    const struct ws_argument arguments[ARGUMENTS] = {
        [IMAGE] = {WS_ARGUMENT_BUFFER, "image", bytes, NULL},
        [FILTER] = {WS_ARGUMENT_BUFFER, "filter", TAPS * sizeof(float), NULL},
        [RESULT] = {WS_ARGUMENT_BUFFER, "result", bytes, NULL},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [HEIGHT] = {WS_ARGUMENT_SCALAR, "height", sizeof height, &height},
    };
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    ws_launch_random(launch, IMAGE, 0.0f, 16.0f, &seed);
    ws_launch_random(launch, FILTER, -1.0f, 1.0f, &seed);
    return WS_STATUS_ok;
}

enum ws_status ws_convolution_prepare_texture(struct ws_ndrange *launch, u32 width, u32 height, u64 seed, struct ws_error *error)
{
    WS_TRY(ws_convolution_prepare(launch, width, height, seed, error));
    return ws_launch_image(launch, IMAGE, width, height, error);
}

/* The nearest place of a line of so many pixels. */
static u32 nearest(i32 place, u32 pixels)
{
    return place < 0 ? 0 : ws_min((u32)place, pixels - 1);
}

/* Every pixel, those beyond the border too, adds its products to the sums of its neighbours in its row. */
static void along_row(const float *row, const float *filter, double *sums, u32 width, enum ws_border border)
{
    const i32 beyond = border == WS_BORDER_NEAREST ? RADIUS : 0;
    for (i32 x = -beyond; x < (i32)width + beyond; x++)
        for (i32 tap = 0; tap < TAPS; tap++)
            if (x + tap >= RADIUS && x + tap < (i32)width + RADIUS)
                sums[x + tap - RADIUS] += (double)row[nearest(x, width)] * (double)filter[tap];
}

/* Adds whole rows to the sums of row y. */
static void across_rows(const float *image, const float *filter, double *sums, u32 width, u32 height, u32 y, enum ws_border border)
{
    for (u32 tap = 0; tap < TAPS; tap++) {
        const u32 from = y + RADIUS - tap; /* wraps above the image */
        const u32 row = border == WS_BORDER_NEAREST ? nearest((i32)from, height) : from;
        for (u32 x = 0; x < width && row < height; x++)
            sums[x] += (double)image[(u64)row * width + x] * (double)filter[tap];
    }
}

enum ws_status ws_convolution_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, bool rows, enum ws_border border,
                                    struct ws_error *error)
{
    const float *image = prepared->arguments[IMAGE].data, *filter = prepared->arguments[FILTER].data;
    float *result = prepared->arguments[RESULT].data;
    u32 width, height;
    memcpy(&width, prepared->arguments[WIDTH].data, sizeof width);
    memcpy(&height, prepared->arguments[HEIGHT].data, sizeof height);
    double *sums = malloc(width * sizeof *sums);
    for (u32 y = 0; sums && y < height; y++, result += width) {
        memset(sums, 0, width * sizeof *sums);
        if (rows)
            along_row(image + (u64)y * width, filter, sums, width, border);
        else
            across_rows(image, filter, sums, width, height, y, border);
        for (u32 x = 0; x < width; x++)
            result[x] = (float)sums[x];
    }
    const enum ws_status status = sums ? ws_launch_agrees(launch, prepared, tolerances, error)
                                       : ws_fail(error, WS_STATUS_no_memory, "no memory for a row of %u sums", width);
    free(sums);
    ws_launch_release(prepared);
    return status;
}
