/* Images: samples of every shape with every sampler against a naive model, texels of every order and format, surfaces, queries, and
 * errors. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t i8;
typedef int16_t i16;

#include "frontend/ptx/image.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { POINTS = 128, WIDTH = 6, HEIGHT = 5, DEPTH = 3, TEXELS = WIDTH * HEIGHT * DEPTH, MOST_BYTES = TEXELS * 16 };

static struct ws_error error;
static u8 texels[MOST_BYTES], others[MOST_BYTES];
static float points[POINTS][4];
static u32 results[POINTS][4];

/* Runs a body. It finds the images in %from and %to, the sampler in %sampler, a point in %x, %y, %z (integers in %ix, %iy, %iz),
 * and writes %a, %b, %c, %d. */
static enum ws_status run(const char *body, const struct ws_image_desc *image, u64 sampler)
{
    static char text[6000];
    const u64 bytes = ws_image_bytes(image);
    struct ws_program *program = NULL;
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    snprintf(
        text, sizeof text,
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 from, .param .u64 to, .param .u64 sampler, .param .u64 points, .param .u64 results)\n{\n"
        ".reg .b64 %%from, %%to, %%sampler, %%in, %%out, %%at;\n.reg .b32 %%a, %%b, %%c, %%d, %%ix, %%iy, %%iz, %%t;\n"
        ".reg .f32 %%x, %%y, %%z, %%w;\n.reg .b16 %%h;\n.reg .pred %%p;\n"
        "ld.param.u64 %%from, [from];\nld.param.u64 %%to, [to];\nld.param.u64 %%sampler, [sampler];\n"
        "ld.param.u64 %%in, [points];\nld.param.u64 %%out, [results];\nmov.u32 %%t, %%tid.x;\nmul.wide.u32 %%at, %%t, 16;\n"
        "add.u64 %%in, %%in, %%at;\nadd.u64 %%out, %%out, %%at;\nld.global.v4.f32 {%%x, %%y, %%z, %%w}, [%%in];\n"
        "cvt.rmi.s32.f32 %%ix, %%x;\ncvt.rmi.s32.f32 %%iy, %%y;\ncvt.rmi.s32.f32 %%iz, %%z;\n"
        "mov.u32 %%a, 0;\nmov.u32 %%b, 0;\nmov.u32 %%c, 0;\nmov.u32 %%d, 0;\n%s\n"
        "st.global.v4.b32 [%%out], {%%a, %%b, %%c, %%d};\nret;\n}\n",
        body);
    struct ws_buffer buffers[] = {{.name = "from", .data = texels, .bytes = bytes, .image = image},
                                  {.name = "to", .data = others, .bytes = bytes, .image = image}};
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = bytes, .data = texels},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = bytes, .data = others},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof sampler, .data = &sampler, .type = "sampler"},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof points, .data = points},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof results, .data = results}};
    struct ws_ndrange launch = {.kernel = "k",
                                .global = {POINTS, 1, 1},
                                .local = {POINTS, 1, 1},
                                .argument_count = 5,
                                .arguments = arguments,
                                .buffer_count = 2,
                                .buffers = buffers};
    enum ws_status status = ws_program_load("k.ptx", text, strlen(text), &options, &program, &error);
    if (status == WS_STATUS_ok)
        status = ws_execute(program, &options, &launch, NULL, NULL, &error);
    ws_program_free(program);
    return status;
}

static void run_well(const char *body, const struct ws_image_desc *image, u64 sampler)
{
    if (run(body, image, sampler) != WS_STATUS_ok)
        fail_msg("%s: %s", body, error.message);
}

static void expect_refused(const char *body, const struct ws_image_desc *image, u64 sampler, const char *text)
{
    assert_int_not_equal(run(body, image, sampler), WS_STATUS_ok);
    if (!strstr(error.message, text))
        fail_msg("%s: %s", body, error.message);
}

static struct ws_image_desc image_of(u32 shape, u32 order, u32 format)
{
    struct ws_image_desc image = {.shape = shape, .order = order, .format = format, .size = {WIDTH, 1, 1}};
    const struct ws_shape_row *const row = &ws_image_shapes[shape];
    if (row->dimensions + row->layers > 1)
        image.size[1] = row->dimensions > 1 ? HEIGHT : DEPTH;
    if (row->dimensions + row->layers > 2)
        image.size[2] = DEPTH;
    return image;
}

static void fill_texels(void)
{
    for (u32 n = 0; n < MOST_BYTES; n++)
        texels[n] = (u8)(n * 37 % 119);
}

/* No point depends on rounding. */
static void fill_points(const struct ws_image_desc *image, bool normalised)
{
    const struct ws_shape_row *const row = &ws_image_shapes[image->shape];
    for (u32 n = 0; n < POINTS; n++)
        for (u32 d = 0; d < 4; d++) {
            const float at = (float)((n * 4 + d) * 7919 % 4096) / 4096.0f * 3 - 1 + 1.0f / 16384;
            const bool layer = d >= row->dimensions;
            points[n][d] = d == 3 ? 0 : normalised && !layer ? at : at * (float)image->size[d];
        }
}

/* ---- The naive model ---- */

static double texel(const struct ws_image_desc *image, const int at[3], u32 channel)
{
    u8 *const place = texels + (((u64)at[2] * image->size[1] + (u64)at[1]) * image->size[0] + (u64)at[0]) * 4;
    for (u32 n = 0; n < 3; n++)
        if (at[n] < 0 || at[n] >= (int)image->size[n])
            return 0;
    return place[channel] / 255.0;
}

/* The weight of texel j along a dimension, possibly outside. */
static double weight_of(double at, int j, bool linear)
{
    if (!linear)
        return floor(at) == j ? 1 : 0;
    return fmax(0, 1 - fabs(at - (j + 0.5)));
}

/* Position of texel j. */
static int found_at(int j, int size, u32 address)
{
    if (address == WS_SAMPLER_border)
        return j;
    if (address == WS_SAMPLER_repeat)
        return ((j % size) + size) % size;
    return j < 0 ? 0 : j >= size ? size - 1 : j;
}

static double texels_along(float point, u32 size, u32 sampler)
{
    double at = (double)point;
    if (!(sampler & WS_SAMPLER_normalised))
        at /= size;
    else if ((sampler & 0xE) == WS_SAMPLER_mirror)
        at = fabs(at - 2 * rint(at / 2));
    else if ((sampler & 0xE) == WS_SAMPLER_repeat)
        at -= floor(at);
    return fmin(fmax(at * size, -2), size + 2.0);
}

static double modelled(const struct ws_image_desc *image, u32 sampler, const float point[3], u32 channel)
{
    const struct ws_shape_row *const row = &ws_image_shapes[image->shape];
    const bool linear = sampler & WS_SAMPLER_linear;
    double sum = 0, weights[3][16];
    for (u32 d = 0; d < 3; d++) {
        const double at = texels_along(point[d], image->size[d], sampler);
        const double layer = fmin(fmax(floor((double)point[d]), 0), image->size[d] - 1.0);
        for (int j = -4; j < 12; j++)
            weights[d][j + 4] =
                d < row->dimensions ? weight_of(at, j, linear) : (d < row->dimensions + row->layers ? layer : 0) == j;
    }
    for (int z = -4; z < 12; z++)
        for (int y = -4; y < 12; y++)
            for (int x = -4; x < 12; x++) {
                const double weight = weights[0][x + 4] * weights[1][y + 4] * weights[2][z + 4];
                const int at[] = {found_at(x, (int)image->size[0], sampler & 0xE), found_at(y, (int)image->size[1], sampler & 0xE),
                                  found_at(z, (int)image->size[2], sampler & 0xE)};
                sum += weight > 0 ? weight * texel(image, at, channel) : 0;
            }
    return sum;
}

static void compare(const struct ws_image_desc *image, u32 sampler)
{
    for (u32 n = 0; n < POINTS; n++)
        for (u32 channel = 0; channel < 4; channel++) {
            const double expected = modelled(image, sampler, points[n], channel);
            float found;
            memcpy(&found, &results[n][channel], sizeof found);
            if (fabs((double)found - expected) > 2e-5)
                fail_msg("%s, sampler 0x%x, point %f %f %f, channel %u: %f, not %f", ws_image_shapes[image->shape].name, sampler,
                         (double)points[n][0], (double)points[n][1], (double)points[n][2], channel, (double)found, expected);
        }
}

static const char *const reads[WS_IMAGE_SHAPES] = {
    [WS_IMAGE_1d] = "tex.1d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%x}];",
    [WS_IMAGE_1d_array] = "max.s32 %iy, %iy, 0; tex.a1d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%iy, %x}];",
    [WS_IMAGE_1d_buffer] = "tex.grad.1d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, %x], %x, {%x};",
    [WS_IMAGE_2d] = "tex.grad.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%x, %y}], {%y, %x}, {%x, %y};",
    [WS_IMAGE_2d_array] = "max.s32 %iz, %iz, 0; tex.a2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%iz, %x, %y, %y}];",
    [WS_IMAGE_3d] = "tex.level.3d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%x, %y, %z, %z}], %w;"};

TEST(test_samples)
{
    static const u32 addresses[] = {WS_SAMPLER_any, WS_SAMPLER_edge, WS_SAMPLER_border, WS_SAMPLER_repeat, WS_SAMPLER_mirror};
    fill_texels();
    for (u32 shape = 0; shape < WS_IMAGE_SHAPES; shape++)
        for (u32 n = 0; n < 5; n++)
            for (u32 normalised = n >= 3; normalised < 2; normalised++)
                for (u32 linear = 0; linear < 2; linear++) {
                    const struct ws_image_desc image = image_of(shape, WS_ORDER_rgba, WS_FORMAT_unorm8);
                    const u32 sampler = addresses[n] | normalised | (linear ? WS_SAMPLER_linear : WS_SAMPLER_nearest);
                    fill_points(&image, normalised);
                    run_well(reads[shape], &image, sampler);
                    compare(&image, sampler);
                }
}

/* Integer coordinates are texels, whatever the sampler's setting; without a sampler the image's applies. */
TEST(test_integers)
{
    struct ws_image_desc image = image_of(WS_IMAGE_2d, WS_ORDER_rgba, WS_FORMAT_unorm8);
    fill_texels();
    fill_points(&image, false);
    run_well("tex.2d.v4.f32.s32 {%a, %b, %c, %d}, [%from, %sampler, {%ix, %iy}];", &image, WS_SAMPLER_border | WS_SAMPLER_nearest);
    compare(&image, WS_SAMPLER_border | WS_SAMPLER_nearest);
    image.sampler = WS_SAMPLER_repeat | WS_SAMPLER_normalised | WS_SAMPLER_linear;
    fill_points(&image, true);
    run_well("tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, {%x, %y}];", &image, 0);
    compare(&image, image.sampler);
}

TEST(test_gather)
{
    static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct ws_image_desc image = image_of(WS_IMAGE_2d, WS_ORDER_rgba, WS_FORMAT_unorm8);
    fill_texels();
    fill_points(&image, false);
    run_well("tld4.g.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%x, %y}];", &image, WS_SAMPLER_border);
    for (u32 n = 0; n < POINTS; n++)
        for (u32 corner = 0; corner < 4; corner++) {
            const int at[] = {(int)floor((double)points[n][0] - 0.5) + corners[corner][0],
                              (int)floor((double)points[n][1] - 0.5) + corners[corner][1], 0};
            float found;
            memcpy(&found, &results[n][corner], sizeof found);
            if (fabs((double)found - texel(&image, at, 1)) > 1e-6)
                fail_msg("point %f %f, corner %u: %f", (double)points[n][0], (double)points[n][1], corner, (double)found);
        }
}

/* ---- Orders and formats ---- */

/* Meaning of a channel's bits, by format. */
static double meaning(u32 format, const u8 *bits)
{
    u16 wide;
    u32 word;
    float number;
    memcpy(&wide, bits, sizeof wide);
    memcpy(&word, bits, sizeof word);
    memcpy(&number, bits, sizeof number);
    switch (format) {
    case WS_FORMAT_snorm8:
        return fmax((i8)bits[0] / 127.0, -1);
    case WS_FORMAT_snorm16:
        return fmax((i16)wide / 32767.0, -1);
    case WS_FORMAT_unorm8:
        return bits[0] / 255.0;
    case WS_FORMAT_unorm16:
        return wide / 65535.0;
    case WS_FORMAT_i8:
        return (i8)bits[0];
    case WS_FORMAT_i16:
        return (i16)wide;
    case WS_FORMAT_i32:
        return (i32)word;
    case WS_FORMAT_u8:
        return bits[0];
    case WS_FORMAT_u16:
        return wide;
    case WS_FORMAT_u32:
        return word;
    case WS_FORMAT_f16: /* normal numbers only */
        return (wide >> 15 ? -1 : 1) * ldexp(1 + (wide & 0x3FF) / 1024.0, (wide >> 10 & 0x1F) - 15);
    default:
        return (double)number;
    }
}

static double value_of(u32 format, u32 bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    if (format == WS_FORMAT_u8 || format == WS_FORMAT_u16 || format == WS_FORMAT_u32)
        return bits;
    return format == WS_FORMAT_i8 || format == WS_FORMAT_i16 || format == WS_FORMAT_i32 ? (i32)bits : (double)number;
}

/* Channels of a texel, Z for zero and O for one. */
static const char *const contents[WS_ORDERS] = {"0ZZO", "ZZZ0", "01ZO", "0ZZ1", "0123", "2103", "1230", "0000", "000O"};
static const u32 channel_bytes[WS_FORMATS] = {1, 2, 1, 2, 1, 2, 4, 1, 2, 4, 2, 4};

static void check_texels(const struct ws_image_desc *image)
{
    const u32 each = channel_bytes[image->format], bytes = ws_image_texel_bytes(image);
    for (u32 n = 0; n < WIDTH * HEIGHT; n++)
        for (u32 channel = 0; channel < 4; channel++) {
            const char from = contents[image->order][channel];
            const double expected = from == 'Z'   ? 0
                                    : from == 'O' ? 1
                                                  : meaning(image->format, texels + n * bytes + (u32)(from - '0') * each);
            const double found = value_of(image->format, results[n][channel]);
            if (fabs(found - expected) > 1e-7 * fabs(expected))
                fail_msg("order %u, format %u, texel %u, channel %u: %g, not %g", image->order, image->format, n, channel, found,
                         expected);
        }
    assert_memory_equal(texels, others, WIDTH * HEIGHT * bytes);
}

/* Every texel is read, and written unchanged to another image. */
TEST(test_formats)
{
    static char body[600];
    for (u32 n = 0; n < POINTS; n++)
        for (u32 d = 0; d < 4; d++)
            points[n][d] = d == 0 ? (float)(n % WIDTH) : d == 1 ? (float)(n / WIDTH % HEIGHT) : 0;
    for (u32 order = 0; order < WS_ORDERS; order++)
        for (u32 format = 0; format < WS_FORMATS; format++) {
            const struct ws_image_desc image = image_of(WS_IMAGE_2d, order, format);
            for (u32 n = 0; n < MOST_BYTES; n++)
                texels[n] = (u8)(n * 41 % 251 | (n % 2 ? 0x40 : 0)) & (format == WS_FORMAT_f16 && n % 2 ? 0xDF : 0xFF);
            memset(others, 0x55, sizeof others);
            const char *const type = format >= WS_FORMAT_u8 && format <= WS_FORMAT_u32   ? "u32"
                                     : format >= WS_FORMAT_i8 && format <= WS_FORMAT_i32 ? "s32"
                                                                                         : "f32";
            snprintf(body, sizeof body,
                     "tex.2d.v4.%s.s32 {%%a, %%b, %%c, %%d}, [%%from, {%%ix, %%iy}];\n"
                     "sust.p.2d.v4.b32.trap [%%to, {%%ix, %%iy}], {%%a, %%b, %%c, %%d};",
                     type);
            run_well(body, &image, 0);
            check_texels(&image);
        }
}

/* Values that a format cannot represent become the nearest one; NaN becomes 0. */
TEST(test_saturation)
{
    static const float given[] = {-0.3f, 1.7f, 0.5f, NAN};
    const struct ws_image_desc image = image_of(WS_IMAGE_1d, WS_ORDER_rgba, WS_FORMAT_unorm8);
    memset(points, 0, sizeof points);
    memcpy(points[0], given, sizeof given);
    run_well("setp.eq.u32 %p, %t, 0;\n@%p sust.p.1d.v4.b32.trap [%to, {0}], {%x, %y, %z, %w};", &image, 0);
    assert_memory_equal(others, ((const u8[]){0, 255, 128, 0}), 4);
}

/* ---- Surfaces ---- */

TEST(test_surfaces)
{
    const struct ws_image_desc image = image_of(WS_IMAGE_3d, WS_ORDER_rg, WS_FORMAT_u16);
    fill_texels();
    memset(others, 0, sizeof others);
    for (u32 n = 0; n < POINTS; n++) /* one column beyond the image on each side */
        for (u32 d = 0; d < 4; d++)
            points[n][d] = d == 0 ? 4 * ((float)(n % 8) - 1) : d == 1 ? (float)(n / 8 % HEIGHT) : (float)(n / 8 / HEIGHT);
    run_well("suld.b.3d.b32.zero {%a}, [%from, {%ix, %iy, %iz, %iz}];\n"
             "suld.b.3d.v2.b16.clamp {%h, %h}, [%from, {%ix, %iy, %iz, %iz}];\ncvt.u32.u16 %b, %h;\n"
             "sust.b.3d.v2.b16.zero [%to, {%ix, %iy, %iz, %iz}], {%h, %h};",
             &image, 0);
    for (u32 n = 0; n < 8 * HEIGHT * DEPTH; n++) {
        const int x = (int)(n % 8) - 1, inside = x >= 0 && x < WIDTH, nearest = x < 0 ? 0 : inside ? x : WIDTH - 1;
        const u8 *const row = texels + ((n / 8 / HEIGHT) * HEIGHT + n / 8 % HEIGHT) * WIDTH * 4;
        u32 word = 0, zero = 0;
        u16 half, stored[2];
        memcpy(&word, row + nearest * 4, sizeof word);
        half = (u16)(word >> 16);
        assert_int_equal(results[n][0], inside ? word : zero);
        assert_int_equal(results[n][1], half);
        memcpy(stored, others + (row - texels) + nearest * 4, sizeof stored);
        if (inside)
            assert_true(stored[0] == half && stored[1] == half);
    }
}

TEST(test_questions)
{
    static const char body[] = "txq.width.b32 %a, [%from];\nsuq.height.b32 %b, [%from];\ntxq.depth.b32 %c, [%from];\n"
                               "txq.array_size.b32 %d, [%from];\nshl.b32 %d, %d, 16;\ntxq.channel_order.b32 %t, [%from];\n"
                               "or.b32 %d, %d, %t;\ntxq.channel_data_type.b32 %t, [%from];\nmad.lo.u32 %a, %t, 65536, %a;";
    static const u32 expected[WS_IMAGE_SHAPES][4] = {[WS_IMAGE_1d] = {WIDTH, 1, 1, 1},
                                                     [WS_IMAGE_1d_array] = {WIDTH, 1, 1, DEPTH},
                                                     [WS_IMAGE_1d_buffer] = {WIDTH, 1, 1, 1},
                                                     [WS_IMAGE_2d] = {WIDTH, HEIGHT, 1, 1},
                                                     [WS_IMAGE_2d_array] = {WIDTH, HEIGHT, 1, DEPTH},
                                                     [WS_IMAGE_3d] = {WIDTH, HEIGHT, DEPTH, 1}};
    for (u32 shape = 0; shape < WS_IMAGE_SHAPES; shape++) {
        const struct ws_image_desc image = image_of(shape, WS_ORDER_luminance, WS_FORMAT_f16);
        run_well(body, &image, 0);
        assert_int_equal(results[0][0], 0x10DD0000u + expected[shape][0]); /* CL_HALF_FLOAT, CL_LUMINANCE */
        assert_int_equal(results[0][1], expected[shape][1]);
        assert_int_equal(results[0][2], expected[shape][2]);
        assert_int_equal(results[0][3], expected[shape][3] << 16 | 0x10B9);
    }
}

/* Of the image's own sampler. */
TEST(test_sampler_questions)
{
    static const struct {
        u32 sampler, expected[3]; /* normalised, linear, addresses */
    } cases[] = {{WS_SAMPLER_repeat | WS_SAMPLER_normalised | WS_SAMPLER_linear, {1, 1, 0}},
                 {WS_SAMPLER_mirror | WS_SAMPLER_normalised | WS_SAMPLER_nearest, {1, 0, 1}},
                 {WS_SAMPLER_edge | WS_SAMPLER_linear, {0, 1, 3}},
                 {WS_SAMPLER_border | WS_SAMPLER_nearest, {0, 0, 4}}};
    static const char body[] = "txq.normalized_coords.b32 %a, [%from];\ntxq.filter_mode.b32 %b, [%from];\n"
                               "txq.addr_mode_0.b32 %c, [%from];\ntxq.addr_mode_2.b32 %d, [%from];";
    for (u32 n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct ws_image_desc image = image_of(WS_IMAGE_2d, WS_ORDER_rgba, WS_FORMAT_unorm8);
        image.sampler = cases[n].sampler;
        run_well(body, &image, 0);
        for (u32 i = 0; i < 3; i++)
            assert_int_equal(results[0][i], cases[n].expected[i]);
        assert_int_equal(results[0][3], cases[n].expected[2]);
    }
}

/* Tiles of 32 bytes by 4 rows; no two texels share a place. */
TEST(test_tiles)
{
    static u8 taken[1 << 14];
    for (u32 shape = 0; shape < WS_IMAGE_SHAPES; shape++) {
        struct ws_image_desc image = image_of(shape, WS_ORDER_rgba, WS_FORMAT_u16);
        image.size[0] = 9;
        memset(taken, 0, sizeof taken);
        for (u32 n = 0; n < image.size[0] * image.size[1] * image.size[2]; n++) {
            const u32 at[] = {n % 9, n / 9 % image.size[1], n / 9 / image.size[1]};
            const u64 place = ws_image_tiled(&image, at);
            assert_true(place % 8 == 0 && place + 8 <= ws_image_tiled_bytes(&image) && !taken[place]);
            taken[place] = 1;
            if (ws_image_shapes[shape].dimensions > 1 && at[2] == 0)
                assert_int_equal(place / 128, at[1] / 4 * 3 + at[0] / 4);
        }
    }
}

/* ---- What is refused ---- */

TEST(test_refused)
{
    static const struct {
        const char *body, *text;
        u64 sampler;
    } cases[] = {
        {"tex.2d.v4.s32.s32 {%a, %b, %c, %d}, [%from, {%ix, %iy}];", "reads integers from an image of real numbers", 0},
        {"tex.3d.v4.f32.s32 {%a, %b, %c, %d}, [%from, {%ix, %iy, %iz, %iz}];", "of another shape", 0},
        {"tex.2d.v4.f32.s32 {%a, %b, %c, %d}, [%in, {%ix, %iy}];", "no image", 0},
        {"add.u64 %from, %from, 4;\ntex.2d.v4.f32.s32 {%a, %b, %c, %d}, [%from, {%ix, %iy}];", "no image", 0},
        {"tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, %sampler, {%x, %y}];", "no sampler", 64},
        {"suld.b.2d.b32.trap {%a}, [%from, {-4, 0}];", "outside of its image", 0},
        {"suld.b.2d.b32.clamp {%a}, [%from, {2, 0}];", "not aligned", 0},
        {"tex.cube.v4.f32.f32 {%a, %b, %c, %d}, [%from, {%x, %y, %z, %z}];", "'tex' is not supported with .cube", 0},
        {"tex.2d.v2.f32.f32 {%a, %b}, [%from, {%x, %y}];", "'tex' is not supported", 0},
        {"tex.2d.v4.f32 {%a, %b, %c, %d}, [%from, {%x, %y}];", "'tex' lacks words", 0},
        {"txq.num_samples.b32 %a, [%from];", "'txq' is not supported with .num_samples", 0},
        {"sust.p.2d.v4.b16.trap [%from, {%ix, %iy}], {%h, %h, %h, %h};", "'sust' is not supported with .b16", 0},
        {"tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from, {%x}];", "expected ','", 0},
        {"tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [%from", "expected", 0},
    };
    const struct ws_image_desc image = image_of(WS_IMAGE_2d, WS_ORDER_rgba, WS_FORMAT_unorm8);
    memset(points, 0, sizeof points);
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        expect_refused(cases[n].body, &image, cases[n].sampler, cases[n].text);
}
