/* Textures and surfaces: kernels of textures.ptx leave the same bytes as PTX and as machine code, for images of every shape. */
#include <stdio.h>
#include <string.h>

#include "sass/programs.h"
#include "warpsweep/frontend.h"

enum { WIDTH = 6, HEIGHT = 5, DEPTH = 3, MOST_BYTES = WIDTH * HEIGHT * DEPTH * 16, GROUPS = 40, SEED = 9 };

/* Kernels by the first part of their names, with the images that they take. */
static const struct {
    const char *name;
    u32 order, format;
} kinds[] = {{"real", WS_ORDER_rgba, WS_FORMAT_unorm8},  {"real", WS_ORDER_r, WS_FORMAT_f32},
             {"real", WS_ORDER_rg, WS_FORMAT_f16},       {"integer", WS_ORDER_rgba, WS_FORMAT_u16},
             {"integer", WS_ORDER_bgra, WS_FORMAT_i8},   {"surface", WS_ORDER_rgba, WS_FORMAT_u32},
             {"pixel", WS_ORDER_rgba, WS_FORMAT_unorm8}, {"pixel", WS_ORDER_rgba, WS_FORMAT_f32}};

static const struct {
    const char *name;
    u32 shape, size[3];
} shapes[] = {{"1d", WS_IMAGE_1d, {WIDTH, 1, 1}},
              {"1d", WS_IMAGE_1d_buffer, {WIDTH, 1, 1}},
              {"2d", WS_IMAGE_2d, {WIDTH, HEIGHT, 1}},
              {"3d", WS_IMAGE_3d, {WIDTH, HEIGHT, DEPTH}},
              {"a1d", WS_IMAGE_1d_array, {WIDTH, DEPTH, 1}},
              {"a2d", WS_IMAGE_2d_array, {WIDTH, HEIGHT, DEPTH}}};

static const u32 samplers[] = {WS_SAMPLER_edge | WS_SAMPLER_nearest, WS_SAMPLER_border | WS_SAMPLER_linear,
                               WS_SAMPLER_normalised | WS_SAMPLER_repeat | WS_SAMPLER_linear,
                               WS_SAMPLER_normalised | WS_SAMPLER_mirror | WS_SAMPLER_linear};

/* A thread's point: coordinates as real numbers, as integers, the layer last, derivatives and levels. */
struct point {
    float real[4];
    i32 integer[4];
    float derivatives[2];
    i32 level, unused;
};

/* What a kernel leaves. */
struct left {
    u32 results[GROUPS][THREADS][4];
    u8 images[2][MOST_BYTES];
};

static void fill_points(struct point points[THREADS], const struct ws_image_desc *image)
{
    static const i32 most[] = {WIDTH, HEIGHT, DEPTH, DEPTH};
    u64 state = SEED;
    for (u32 n = 0; n < THREADS; n++) {
        struct point *const point = &points[n];
        *point = (struct point){.derivatives = {0.5f, 0.25f}};
        for (u32 d = 0; d < 4; d++) {
            const float at = (float)(ws_random(&state) % 4096) / 4096 * 3 - 1;
            point->real[d] = image->sampler & WS_SAMPLER_normalised ? at : at * (float)most[d];
            point->integer[d] = (i32)(ws_random(&state) % (u64)(most[d] + 3)) - 1;
        }
    }
}

static void run(const struct ws_program *program, const char *kernel, const struct ws_image_desc *image, struct left *left,
                program_count *count)
{
    static struct point points[THREADS];
    const u64 bytes = ws_image_bytes(image);
    u64 state = SEED + 1;
    memset(left, 0, sizeof *left);
    for (u32 n = 0; n < 2 * MOST_BYTES; n++)
        left->images[n / MOST_BYTES][n % MOST_BYTES] = (u8)(ws_random(&state) % 120); /* no NaN of 16 or 32 bits */
    fill_points(points, image);
    struct ws_buffer buffers[2];
    struct ws_argument arguments[5];
    u32 which = 6; /* the second image */
    for (u32 n = 0; n < 2; n++) {
        buffers[n] = (struct ws_buffer){.name = "image", .data = left->images[n], .bytes = bytes, .image = image};
        arguments[n] = (struct ws_argument){.kind = WS_ARGUMENT_BUFFER, .bytes = bytes, .data = left->images[n]};
    }
    arguments[2] = (struct ws_argument){.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof points, .data = points};
    arguments[3] = (struct ws_argument){.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof left->results, .data = left->results};
    arguments[4] = (struct ws_argument){.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof which, .data = &which};
    const struct ws_ndrange launch = {.kernel = kernel,
                                      .source = "textures",
                                      .global = {THREADS, 1, 1},
                                      .local = {THREADS, 1, 1},
                                      .argument_count = 5,
                                      .arguments = arguments,
                                      .buffer_count = 2,
                                      .buffers = buffers};
    program_run(program, &launch, count, NULL);
}

static void expect_equal(const char *kernel, u32 architecture, const struct ws_image_desc *image, const struct left *ptx,
                         const struct left *machine)
{
    for (u32 n = 0; n < GROUPS * THREADS * 4; n++) {
        const u32 group = n / (4 * THREADS), thread = n / 4 % THREADS, word = n % 4;
        if (ptx->results[group][thread][word] != machine->results[group][thread][word])
            fail_msg("kernel %s, sm_%u, shape %u, format %u, sampler %u: word %u of result %u of thread %u is 0x%08x as machine "
                     "code, 0x%08x as PTX",
                     kernel, architecture, image->shape, image->format, image->sampler, word, group, thread,
                     machine->results[group][thread][word], ptx->results[group][thread][word]);
    }
    for (u32 n = 0; n < 2 * MOST_BYTES; n++)
        if (ptx->images[n / MOST_BYTES][n % MOST_BYTES] != machine->images[n / MOST_BYTES][n % MOST_BYTES])
            fail_msg("kernel %s, sm_%u, shape %u, format %u: byte %u of image %u differs", kernel, architecture, image->shape,
                     image->format, n % MOST_BYTES, n / MOST_BYTES);
}

void textures_compare(const struct ws_program *ptx, const struct ws_program *machine, u32 architecture, program_count *count)
{
    static struct left as_ptx, as_machine;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (size_t n = 0; n < sizeof samplers / sizeof *samplers; n++) {
                struct ws_image_desc image = {
                    .shape = shapes[s].shape, .order = kinds[k].order, .format = kinds[k].format, .sampler = samplers[n]};
                char kernel[32];
                memcpy(image.size, shapes[s].size, sizeof image.size);
                snprintf(kernel, sizeof kernel, "%s_%s", kinds[k].name, shapes[s].name);
                run(ptx, kernel, &image, &as_ptx, NULL);
                run(machine, kernel, &image, &as_machine, count);
                expect_equal(kernel, architecture, &image, &as_ptx, &as_machine);
            }
}
