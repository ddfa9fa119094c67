#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "data/pictures.h"

WORKLOAD(object_cascade, "rogers2015", 3,
         "a cascade of classifiers by Viola and Jones, a window a work-item (Rogers 2015: ObjClassifier; FCDT of section 7.1)");

enum { SUMS, SQUARES, FEATURES, STAGES, PASSED, WIDTH, STAGE_COUNT, ARGUMENTS };

/* A window's side; later stages have more features. */
enum { WINDOW = 24, STAGES_OF_ALL = 10, FIRST_FEATURES = 3, MORE_FEATURES = 4, SAMPLES = 256 };
enum { FEATURES_OF_ALL = STAGES_OF_ALL * FIRST_FEATURES + MORE_FEATURES * STAGES_OF_ALL * (STAGES_OF_ALL - 1) / 2 };

enum { ITEMS_X = 16, ITEMS_Y = 8 };

/* In work-groups. */
static const struct {
    const char *source;
    u32 columns, rows;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"object_cascade:tiny", 1, 1},
    [WS_SIZE_SMALL] = {"object_cascade:small", 6, 16},
    [WS_SIZE_PAPER] = {"object_cascade:paper", 30, 35},
};

struct feature {
    i32 whole[4], part[4], weight, threshold, over, under;
};

struct stage {
    i32 end, least; /* its last feature, plus one; votes that it wants */
};

struct picture {
    u8 *pixels;
    u32 width, height;
};

static i32 inside(const struct picture *picture, u32 left, u32 top, const i32 part[4])
{
    i32 sum = 0;
    for (i32 y = part[1]; y < part[1] + part[3]; y++)
        for (i32 x = part[0]; x < part[0] + part[2]; x++)
            sum += picture->pixels[(top + (u32)y) * picture->width + left + (u32)x];
    return sum;
}

/* Of the greys of a window, in quarters. */
static i32 deviation(const struct picture *picture, u32 left, u32 top)
{
    u64 sum = 0, squares = 0, area = WINDOW * WINDOW;
    for (u32 n = 0; n < area; n++) {
        const u64 pixel = picture->pixels[(top + n / WINDOW) * picture->width + left + n % WINDOW];
        sum += pixel;
        squares += pixel * pixel;
    }
    const u64 variance = (area * squares - sum * sum) / (area * area / 16);
    i32 root = (i32)sqrt((double)variance);
    while ((u64)root * (u64)root > variance)
        root--;
    return root;
}

static i32 value(const struct feature *feature, const struct picture *picture, u32 left, u32 top)
{
    return feature->weight * inside(picture, left, top, feature->part) - inside(picture, left, top, feature->whole);
}

static i32 votes(const struct feature *features, u32 count, const struct picture *picture, u32 left, u32 top)
{
    const i32 unit = deviation(picture, left, top);
    i32 sum = 0;
    for (u32 n = 0; n < count; n++)
        sum += 16 * value(&features[n], picture, left, top) > features[n].threshold * unit ? features[n].over : features[n].under;
    return sum;
}

/* What is looked for: a light disc with two dark spots and a dark bar below, from -64 to 63. */
static i32 object_at(i32 x, i32 y)
{
    const i32 dx = 2 * x - WINDOW + 1, dy = 2 * y - WINDOW + 1, side = dx < 0 ? -dx : dx;
    if (dx * dx + dy * dy > (WINDOW - 2) * (WINDOW - 2))
        return -30;
    const bool eye = (side - 9) * (side - 9) + (dy + 5) * (dy + 5) < 20, mouth = side < 9 && dy > 8 && dy < 14;
    return eye ? -64 : mouth ? -50 : 63;
}

static void plant(const struct picture *picture, u32 left, u32 top, u64 *seed)
{
    const i32 contrast = (i32)ws_random_range(seed, 20, 60), light = (i32)ws_random_range(seed, 90, 160);
    for (u32 n = 0; n < WINDOW * WINDOW; n++) {
        u8 *const pixel = &picture->pixels[(top + n / WINDOW) * picture->width + left + n % WINDOW];
        *pixel = (u8)(light + object_at((i32)(n % WINDOW), (i32)(n / WINDOW)) * contrast / 64);
    }
}

/* A rectangle, and of it one half or the middle third, across or down. */
static void draw_feature(struct feature *feature, u64 *seed)
{
    const u32 parts = ws_random_range(seed, 2, 3), axis = ws_random_range(seed, 0, 1);
    for (u32 d = 0; d < 2; d++) {
        const u32 unit = d == axis ? parts : 1, units = ws_random_range(seed, 4 / unit, WINDOW / unit);
        feature->whole[d] = feature->part[d] = (i32)ws_random_range(seed, 0, WINDOW - units * unit);
        feature->whole[2 + d] = feature->part[2 + d] = (i32)(units * unit);
    }
    feature->part[2 + axis] /= (i32)parts;
    feature->part[axis] += parts == 3 ? feature->part[2 + axis] : 0;
    feature->weight = (i32)parts;
}

/* Features that tell the object, whose votes are for it: halfway from none to its own value. */
static void draw_features(struct feature *features, u32 count, const struct picture *object, u64 *seed)
{
    const i32 unit = deviation(object, 0, 0);
    for (u32 n = 0; n < count;) {
        draw_feature(&features[n], seed);
        const i32 own = 16 * value(&features[n], object, 0, 0) / unit, vote = (i32)ws_random_range(seed, 1, 8);
        if (abs(own) < 100)
            continue;
        features[n].threshold = own / 2;
        features[n].over = own > 0 ? vote : 0;
        features[n].under = own > 0 ? 0 : vote;
        n++;
    }
}

static int compare(const void *a, const void *b)
{
    return *(const i32 *)a - *(const i32 *)b;
}

/* Each stage rejects half of the windows, among some of the picture, that earlier ones have let through; the object passes. */
static void train(const struct picture *picture, const struct picture *object, struct feature *features, struct stage *stages,
                  u64 *seed)
{
    u32 sample[SAMPLES][2], left = SAMPLES;
    for (u32 n = 0; n < SAMPLES; n++) {
        sample[n][0] = ws_random_range(seed, 0, picture->width - WINDOW - 1);
        sample[n][1] = ws_random_range(seed, 0, picture->height - WINDOW - 1);
    }
    for (u32 s = 0, begin = 0; s < STAGES_OF_ALL; s++) {
        const u32 count = FIRST_FEATURES + MORE_FEATURES * s;
        i32 found[SAMPLES], sorted[SAMPLES];
        draw_features(features + begin, count, object, seed);
        for (u32 n = 0; n < left; n++)
            sorted[n] = found[n] = votes(features + begin, count, picture, sample[n][0], sample[n][1]);
        qsort(sorted, left, sizeof *sorted, compare);
        const i32 most = votes(features + begin, count, object, 0, 0), middle = left > 0 ? sorted[left / 2] + 1 : most;
        stages[s] = (struct stage){(i32)(begin + count), middle < most ? middle : most};
        u32 kept = 0;
        for (u32 n = 0; n < left; n++)
            if (found[n] >= stages[s].least)
                memmove(sample[kept++], sample[n], sizeof sample[n]);
        left = kept;
        begin += count;
    }
}

/* Row by row: what lies above and to the left of each place. */
static void add_up(const struct picture *picture, u32 *sums, u32 *squares)
{
    const u32 width = picture->width + 1;
    for (u32 y = 0; y < picture->height; y++)
        for (u32 x = 0, sum = 0, square = 0; x < picture->width; x++) {
            const u32 pixel = picture->pixels[y * picture->width + x], to = (y + 1) * width + x + 1;
            sum += pixel;
            square += pixel * pixel;
            sums[to] = sums[to - width] + sum;
            squares[to] = squares[to - width] + square;
        }
}

/* A picture with the object here and there. */
static enum ws_status draw(struct picture *picture, enum ws_size size, u64 *seed, struct ws_error *error)
{
    const u32 columns = inputs[size].columns * ITEMS_X, rows = inputs[size].rows * ITEMS_Y;
    *picture = (struct picture){.width = columns + WINDOW, .height = rows + WINDOW};
    picture->pixels = malloc(picture->width * picture->height);
    if (!picture->pixels)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a picture of %u x %u", picture->width, picture->height);
    ws_picture_draw(picture->pixels, picture->width, picture->height, 0, 0, WS_PICTURE_ENDLESS, ws_random(seed));
    for (u32 n = 0; n < 1 + columns * rows / 4000; n++) {
        const u32 left = ws_random_range(seed, 0, columns - 1);
        plant(picture, left, ws_random_range(seed, 0, rows - 1), seed);
    }
    return WS_STATUS_ok;
}

static enum ws_status make_launch(enum ws_size size, const struct picture *picture, u64 *seed, struct ws_ndrange *launch,
                                  struct ws_error *error)
{
    const u32 columns = inputs[size].columns * ITEMS_X, rows = inputs[size].rows * ITEMS_Y;
    u32 width = picture->width + 1, stage_count = STAGES_OF_ALL;
    const u64 bytes = (u64)width * (picture->height + 1) * sizeof(u32);
    const struct ws_argument arguments[ARGUMENTS] = {
        [SUMS] = {WS_ARGUMENT_BUFFER, "sums", bytes, NULL},
        [SQUARES] = {WS_ARGUMENT_BUFFER, "squares", bytes, NULL},
        [FEATURES] = {WS_ARGUMENT_BUFFER, "features", FEATURES_OF_ALL * sizeof(struct feature), NULL},
        [STAGES] = {WS_ARGUMENT_BUFFER, "stages", STAGES_OF_ALL * sizeof(struct stage), NULL},
        [PASSED] = {WS_ARGUMENT_BUFFER, "passed", columns * rows * sizeof(u32), NULL},
        [WIDTH] = {WS_ARGUMENT_SCALAR, "width", sizeof width, &width},
        [STAGE_COUNT] = {WS_ARGUMENT_SCALAR, "stage_count", sizeof stage_count, &stage_count},
    };
    *launch = (struct ws_ndrange){
        .kernel = "object_cascade", .source = inputs[size].source, .global = {columns, rows, 1}, .local = {ITEMS_X, ITEMS_Y, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 pixels[WINDOW * WINDOW];
    const struct picture object = {pixels, WINDOW, WINDOW};
    for (i32 n = 0; n < WINDOW * WINDOW; n++)
        pixels[n] = (u8)(128 + object_at(n % WINDOW, n / WINDOW));
    train(picture, &object, launch->arguments[FEATURES].data, launch->arguments[STAGES].data, seed);
    add_up(picture, launch->arguments[SUMS].data, launch->arguments[SQUARES].data);
    return WS_STATUS_ok;
}

enum ws_status ws_object_cascade_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct picture picture;
    WS_TRY(draw(&picture, size, &seed, error));
    const enum ws_status status = make_launch(size, &picture, &seed, launch, error);
    free(picture.pixels);
    return status;
}

static u32 stages_passed(const struct ws_ndrange *launch, const struct picture *picture, u32 left, u32 top)
{
    const struct feature *features = launch->arguments[FEATURES].data;
    const struct stage *stages = launch->arguments[STAGES].data;
    u32 begin = 0, passed = 0;
    for (; passed < STAGES_OF_ALL; begin = (u32)stages[passed++].end)
        if (votes(features + begin, (u32)stages[passed].end - begin, picture, left, top) < stages[passed].least)
            break;
    return passed;
}

/* By the pixels themselves instead of their sums. */
enum ws_status ws_object_cascade_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct picture picture;
    struct ws_ndrange expected;
    WS_TRY(draw(&picture, size, &seed, error));
    enum ws_status status = make_launch(size, &picture, &seed, &expected, error);
    if (status == WS_STATUS_ok) {
        u32 *passed = expected.arguments[PASSED].data;
        for (u32 y = 0; y < expected.global[1]; y++)
            for (u32 x = 0; x < expected.global[0]; x++)
                *passed++ = stages_passed(&expected, &picture, x, y);
        status = ws_launch_agrees(launch, &expected, NULL, error);
        ws_launch_release(&expected);
    }
    free(picture.pixels);
    return status;
}
