/* Images and samplers of launch files. */
#include <string.h>

#include "base/error.h"
#include "frontend/launch/fill.h"
#include "frontend/launch/image.h"

#define MOST_BYTES (UINT64_C(1) << 34)
enum { MOST_SIZE = 1 << 27, SAMPLER_BYTES = 8 };

/* ---- Samplers ---- */

enum ws_status launch_sampler_read(const struct ws_yaml *node, u32 *sampler, struct ws_error *error)
{
    static const char *const keys[] = {"coordinates", "address", "filter", NULL};
    static const char *const words[][6] = {
        {"texels", "normalised"}, {"none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"}, {"nearest", "linear"}};
    static const u32 bits[][5] = {{0, WS_SAMPLER_normalised},
                                  {WS_SAMPLER_any, WS_SAMPLER_edge, WS_SAMPLER_border, WS_SAMPLER_repeat, WS_SAMPLER_mirror},
                                  {WS_SAMPLER_nearest, WS_SAMPLER_linear}};
    *sampler = 0;
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    for (u32 n = 0; keys[n]; n++) {
        const struct ws_yaml *value = NULL;
        size_t word = 0;
        WS_TRY(ws_yaml_need(node, keys[n], &value, error));
        WS_TRY(ws_yaml_choice(value, words[n], &word, error));
        *sampler |= bits[n][word];
    }
    const u32 address = *sampler & (WS_SAMPLER_repeat | WS_SAMPLER_mirror);
    if (!(*sampler & WS_SAMPLER_normalised) && address >= WS_SAMPLER_repeat)
        return ws_yaml_fail(ws_yaml_get(node, "address"), error, "found '%s', which needs coordinates: normalised",
                            ws_yaml_get(node, "address")->text);
    return WS_STATUS_ok;
}

enum ws_status launch_sampler_argument(struct ws_launch_file *file, const struct ws_yaml *node, struct ws_argument *argument,
                                       struct ws_error *error)
{
    u32 sampler;
    WS_TRY(launch_sampler_read(node, &sampler, error));
    const u64 handle = sampler;
    argument->kind = WS_ARGUMENT_SCALAR;
    argument->type = "sampler";
    argument->bytes = SAMPLER_BYTES;
    argument->data = ws_arena_alloc(&file->arena, SAMPLER_BYTES);
    if (!argument->data)
        return ws_yaml_no_memory(node, error);
    memcpy(argument->data, &handle, SAMPLER_BYTES);
    return WS_STATUS_ok;
}

/* ---- Images ---- */

static const char *const shape_names[] = {
#define IMAGE_SHAPE(name, type, dimensions, layers) #name,
#include "warpsweep/images.def"
#undef IMAGE_SHAPE
    NULL};

/* With layers. */
static const u32 shape_dimensions[] = {
#define IMAGE_SHAPE(name, type, dimensions, layers) (dimensions) + (layers),
#include "warpsweep/images.def"
#undef IMAGE_SHAPE
};

static const char *const order_names[] = {
#define IMAGE_ORDER(name, number, red, green, blue, alpha) #name,
#include "warpsweep/images.def"
#undef IMAGE_ORDER
    NULL};

static const char *const format_names[] = {
#define IMAGE_FORMAT(name, number, element, kind) #name,
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
    NULL};

static const char *const format_elements[] = {
#define IMAGE_FORMAT(name, number, element, kind) #element,
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
};

bool launch_is_shape(const char *text)
{
    for (u32 n = 0; shape_names[n]; n++)
        if (strcmp(shape_names[n], text) == 0)
            return true;
    return false;
}

const char *const *launch_shape_names(void)
{
    return shape_names;
}

/* A choice of the mapping, as a row of a table. */
static enum ws_status read_row(const struct ws_yaml *mapping, const char *key, const char *const *names, u32 *row,
                               struct ws_error *error)
{
    const struct ws_yaml *node = NULL;
    size_t n = 0;
    WS_TRY(ws_yaml_need(mapping, key, &node, error));
    WS_TRY(ws_yaml_choice(node, names, &n, error));
    *row = (u32)n;
    return WS_STATUS_ok;
}

static enum ws_status read_size(const struct ws_yaml *mapping, struct ws_image_desc *image, struct ws_error *error)
{
    const u32 dimensions = shape_dimensions[image->shape];
    const struct ws_yaml *list = NULL;
    u32 n = 0;
    u64 texels = ws_image_texel_bytes(image);
    WS_TRY(ws_yaml_need(mapping, "size", &list, error));
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (list->count != dimensions)
        return ws_yaml_fail(list, error, "found %zu sizes, an image of %s has %u", list->count, shape_names[image->shape],
                            dimensions);
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        u64 size = 0;
        WS_TRY(ws_yaml_unsigned(item, 1, MOST_SIZE, &size, error));
        texels *= size;
        if (texels > MOST_BYTES)
            return ws_yaml_fail(list, error, "found an image of more than %llu bytes, allowed are at most as many",
                                (unsigned long long)MOST_BYTES);
        image->size[n++] = (u32)size;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_image(const struct ws_yaml *node, struct ws_image_desc *image, struct ws_error *error)
{
    *image = (struct ws_image_desc){.size = {1, 1, 1}, .sampler = WS_SAMPLER_edge | WS_SAMPLER_nearest};
    const struct ws_yaml *const sampler = ws_yaml_get(node, "sampler");
    WS_TRY(read_row(node, "image", shape_names, &image->shape, error));
    WS_TRY(read_row(node, "order", order_names, &image->order, error));
    WS_TRY(read_row(node, "format", format_names, &image->format, error));
    if (sampler)
        WS_TRY(launch_sampler_read(sampler, &image->sampler, error));
    return read_size(node, image, error);
}

enum ws_status launch_image_fill(struct ws_launch_file *file, const struct ws_yaml *node, u64 seed, struct ws_buffer *buffer,
                                 struct ws_error *error)
{
    struct ws_image_desc *const image = ws_arena_alloc(&file->arena, sizeof *image);
    u64 count = 0;
    if (!image)
        return ws_yaml_no_memory(node, error);
    WS_TRY(read_image(node, image, error));
    const struct ws_element *const element = ws_element_named(format_elements[image->format]);
    const u64 bytes = ws_image_bytes(image);
    WS_TRY(ws_fill(node, element, bytes / (element->bits / 8), seed, &buffer->data, &count, error));
    buffer->type = element->name;
    buffer->bytes = bytes;
    buffer->image = image;
    return WS_STATUS_ok;
}
