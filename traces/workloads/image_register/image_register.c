#include "workload.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/pictures.h"

WORKLOAD(image_register, "rogers2015", 8,
         "a step of registering two pictures, products summed in a tree (Rogers 2015: image registration)");

enum { FIXED, MOVING, SUMS, TRANSFORM, WIDTH, HEIGHT, ROWS, ARGUMENTS };

/* Work-items of a work-group, and what it adds up. */
enum { ITEMS = 128, TERMS = 4, PRODUCTS = 10 };

static const struct {
    const char *source;
    u32 width, height, rows;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"image_register:tiny", 100, 8, 4},
    [WS_SIZE_SMALL] = {"image_register:small", 300, 240, 8},
    [WS_SIZE_PAPER] = {"image_register:paper", 1000, 800, 8},
};

static const double tolerances[ARGUMENTS] = {[SUMS] = 1e-5};

static u32 groups_of(u32 count, u32 items)
{
    return (count + items - 1) / items;
}

/* Both show the same, a few pixels apart; greys are from 0 to 1. */
static enum ws_status draw(struct ws_ndrange *launch, u32 width, u32 height, u64 *seed, struct ws_error *error)
{
    u8 *pixels = malloc(width * height);
    if (!pixels)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a picture of %u x %u", width, height);
    for (u32 n = FIXED; n <= MOVING; n++) {
        float *picture = launch->arguments[n].data;
        ws_picture_draw(pixels, width, height, n == MOVING ? 3 : 0, n == MOVING ? 2 : 0, WS_PICTURE_ENDLESS, *seed);
        for (u32 pixel = 0; pixel < width * height; pixel++)
            picture[pixel] = (float)pixels[pixel] / 255.0f;
    }
    free(pixels);
    return WS_STATUS_ok;
}

enum ws_status ws_image_register_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 width = inputs[size].width, height = inputs[size].height, rows = inputs[size].rows;
    const u32 columns = groups_of(width, ITEMS), strips = groups_of(height, rows);
    float transform[8] = {0};
    for (u32 n = 0; n < 7; n++)
        if (n != 3)
            transform[n] = ((float)ws_random_range(&seed, 0, 2000) / 1000.0f - 1.0f) * (n % 4 == 2 ? 2.0f : 0.01f);
    const struct ws_argument arguments[ARGUMENTS] = {
        [FIXED] = {WS_ARGUMENT_BUFFER, "fixed", (u64)width * height * sizeof(float), NULL},
        [MOVING] = {WS_ARGUMENT_BUFFER, "moving", (u64)width * height * sizeof(float), NULL},
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", (u64)columns * strips * PRODUCTS * sizeof(float), NULL},
        [TRANSFORM] = {WS_ARGUMENT_SCALAR, "transform", sizeof transform, transform},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [HEIGHT] = {WS_ARGUMENT_SCALAR, "height", sizeof height, &height},
        [ROWS] = {WS_ARGUMENT_SCALAR, "rows", sizeof rows, &rows},
    };
    *launch = (struct ws_ndrange){
        .kernel = "image_register", .source = inputs[size].source, .global = {columns * ITEMS, strips, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    const enum ws_status status = draw(launch, width, height, &seed, error);
    if (status != WS_STATUS_ok)
        ws_launch_release(launch);
    return status;
}

/* By the four pixels around, each with its share; those outside are the nearest inside. */
static double between(const float *picture, double x, double y, i32 width, i32 height)
{
    double sum = 0;
    const double column = floor(x), row = floor(y);
    for (u32 n = 0; n < 4; n++) {
        const double u = column + n % 2, v = row + n / 2;
        const i32 inside_x = (i32)fmax(0, fmin(u, width - 1)), inside_y = (i32)fmax(0, fmin(v, height - 1));
        sum += (1 - fabs(x - u)) * (1 - fabs(y - v)) * (double)picture[inside_y * width + inside_x];
    }
    return sum;
}

/* Adds a pixel's products to the sums of its group. */
static void add(const struct ws_ndrange *input, i32 x, i32 y, i32 width, i32 height, double *sums)
{
    const float *fixed = input->arguments[FIXED].data, *at = fixed + y * width + x, *s = input->arguments[TRANSFORM].data;
    const double across = x + (double)s[0] * x + (double)s[1] * y + (double)s[2];
    const double down = y + (double)s[4] * x + (double)s[5] * y + (double)s[6];
    const double slope_x = ((double)at[1] - (double)at[-1]) / 2, slope_y = ((double)at[width] - (double)at[-width]) / 2;
    const double terms[TERMS] = {slope_x, slope_y, (slope_y * (x - width / 2.0) - slope_x * (y - height / 2.0)) / width,
                                 between(input->arguments[MOVING].data, across, down, width, height) - (double)at[0]};
    for (u32 i = 0, n = 0; i < TERMS; i++)
        for (u32 j = i; j < TERMS; j++)
            sums[n++] += terms[i] * terms[j];
}

/* Pixel by pixel in double precision. */
enum ws_status ws_image_register_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_image_register_prepare(size, seed, &expected, error));
    const u32 columns = groups_of(inputs[size].width, ITEMS);
    const size_t count = expected.arguments[SUMS].bytes / sizeof(float);
    double *sums = calloc(count, sizeof *sums);
    enum ws_status status = sums ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "no memory to check %s", launch->source);
    if (status == WS_STATUS_ok) {
        const i32 width = (i32)inputs[size].width, height = (i32)inputs[size].height;
        for (i32 y = 1; y < height - 1; y++)
            for (i32 x = 1; x < width - 1; x++)
                add(&expected, x, y, width, height, sums + ((u32)y / inputs[size].rows * columns + (u32)x / ITEMS) * PRODUCTS);
        float *wanted = expected.arguments[SUMS].data;
        for (size_t n = 0; n < count; n++)
            wanted[n] = (float)sums[n];
        status = ws_launch_agrees(launch, &expected, tolerances, error);
    }
    free(sums);
    ws_launch_release(&expected);
    return status;
}
