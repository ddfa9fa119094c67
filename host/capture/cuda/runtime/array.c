/* Arrays, textures and surfaces. */
#include "capture/cuda/runtime/array.h"

#include <stdlib.h>
#include <string.h>

static struct gpu_array *arrays;

enum { FLAG_LAYERED = 1, FLAG_CUBE = 4 };

struct gpu_array *gpu_array_find(const void *handle)
{
    for (struct gpu_array *array = arrays; array; array = array->next)
        if (array == handle)
            return array;
    return NULL;
}

static u32 bytes_of(const struct gpu_channel *channel)
{
    return (u32)(channel->x + channel->y + channel->z + channel->w) / 8;
}

static int make(void **to, const struct gpu_channel *channel, const struct gpu_extent *extent, unsigned flags)
{
    const bool layers = flags & FLAG_LAYERED;
    const u64 height = extent->height ? extent->height : 1, depth = extent->depth ? extent->depth : 1;
    const u32 element = bytes_of(channel);
    if (flags & FLAG_CUBE)
        return gpu_uncovered("arrays of cubes");
    if (element == 0 || extent->width == 0)
        return gpu_fail(GPU_value, "found an array of %zu elements of %u bytes", extent->width, element);
    struct gpu_array *const array = calloc(1, sizeof *array);
    struct gpu_range *const range = array ? gpu_memory_add(GPU_ARRAY, extent->width * height * depth * element) : NULL;
    if (!range) {
        free(array);
        return GPU_memory;
    }
    *array = (struct gpu_array){.range = range,
                                .channel = *channel,
                                .width = extent->width,
                                .height = height,
                                .depth = depth,
                                .element = element,
                                .layers = layers,
                                .flags = flags,
                                .dimensions = extent->depth && !layers ? 3
                                              : extent->height         ? 2
                                                                       : 1,
                                .next = arrays};
    arrays = array;
    *to = array;
    return GPU_none;
}

static int release(void *handle)
{
    struct gpu_array *const array = gpu_array_find(handle);
    struct gpu_array **at = &arrays;
    if (!handle)
        return GPU_none;
    if (!array)
        return gpu_fail(GPU_handle, "%p is no array", handle);
    while (*at != array)
        at = &(*at)->next;
    *at = array->next;
    gpu_memory_remove(array->range);
    free(array);
    return GPU_none;
}

RUNTIME(cudaMallocArray, (void **to, const struct gpu_channel *channel, size_t width, size_t height, unsigned flags),
        make(to, channel, &(struct gpu_extent){width, height, 0}, flags))
RUNTIME(cudaMalloc3DArray, (void **to, const struct gpu_channel *channel, struct gpu_extent extent, unsigned flags),
        make(to, channel, &extent, flags))
RUNTIME(cudaFreeArray, (void *array), release(array))

static int get_info(struct gpu_channel *channel, struct gpu_extent *extent, unsigned *flags, const void *handle)
{
    const struct gpu_array *const array = gpu_array_find(handle);
    if (!array)
        return gpu_fail(GPU_handle, "%p is no array", handle);
    if (channel)
        *channel = array->channel;
    if (extent)
        *extent = (struct gpu_extent){array->width, array->dimensions > 1 ? array->height : 0,
                                      array->dimensions > 2 || array->layers ? array->depth : 0};
    if (flags)
        *flags = array->flags;
    return GPU_none;
}

RUNTIME(cudaArrayGetInfo, (struct gpu_channel * channel, struct gpu_extent *extent, unsigned *flags, const void *array),
        get_info(channel, extent, flags, array))
RUNTIME(cudaGetChannelDesc, (struct gpu_channel * channel, const void *array), get_info(channel, NULL, NULL, array))

EXPORTED struct gpu_channel cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
EXPORTED struct gpu_channel cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct gpu_channel){x, y, z, w, kind};
}

/* ---- Images of the front end ---- */

/* A texture or surface object, and the program's descriptions of it. */
struct resource {
    int kind; /* RESOURCE_array and so on */
    union {
        void *array;
        struct {
            void *data;
            struct gpu_channel channel;
            size_t bytes;
        } linear;
        struct {
            void *data;
            struct gpu_channel channel;
            size_t width, height, pitch;
        } pitch;
        int reserved[32];
    } of;
    unsigned flags;
};
enum { RESOURCE_array, RESOURCE_mipmap, RESOURCE_linear, RESOURCE_pitch };

struct texture {
    int address[3], filter, read, srgb;
    float border[4];
    int normalized;
    unsigned anisotropy;
    int mipmap_filter;
    float level, least_level, most_level;
    int exact, seamless;
};
enum { ADDRESS_wrap, ADDRESS_clamp, ADDRESS_mirror, ADDRESS_border };
enum { READ_element, READ_normalized };

struct object {
    u64 handle;
    struct resource resource;
    struct texture texture;
    struct ws_image_desc image;
    u64 pitch; /* bytes between its rows; 0: none */
    struct object *next;
};
static struct object *objects;

static int set_format(const struct gpu_channel *channel, bool normalized, struct ws_image_desc *image)
{
    const int sizes[] = {channel->x, channel->y, channel->z, channel->w};
    static const u32 orders[] = {0, WS_ORDER_r, WS_ORDER_rg, WS_ORDERS, WS_ORDER_rgba};
    static const struct {
        int bits, kind;
        bool normalized;
        u32 format;
    } formats[] = {{8, GPU_SIGNED, false, WS_FORMAT_i8},      {16, GPU_SIGNED, false, WS_FORMAT_i16},
                   {32, GPU_SIGNED, false, WS_FORMAT_i32},    {8, GPU_UNSIGNED, false, WS_FORMAT_u8},
                   {16, GPU_UNSIGNED, false, WS_FORMAT_u16},  {32, GPU_UNSIGNED, false, WS_FORMAT_u32},
                   {16, GPU_FLOAT, false, WS_FORMAT_f16},     {32, GPU_FLOAT, false, WS_FORMAT_f32},
                   {16, GPU_FLOAT, true, WS_FORMAT_f16},      {32, GPU_FLOAT, true, WS_FORMAT_f32},
                   {8, GPU_SIGNED, true, WS_FORMAT_snorm8},   {16, GPU_SIGNED, true, WS_FORMAT_snorm16},
                   {8, GPU_UNSIGNED, true, WS_FORMAT_unorm8}, {16, GPU_UNSIGNED, true, WS_FORMAT_unorm16}};
    u32 channels = 0;
    while (channels < 4 && sizes[channels] > 0)
        channels++;
    for (size_t n = 0; n < sizeof formats / sizeof *formats && channels > 0 && orders[channels] != WS_ORDERS; n++)
        if (formats[n].bits == channel->x && formats[n].kind == channel->kind && formats[n].normalized == normalized) {
            image->order = orders[channels];
            image->format = formats[n].format;
            return GPU_none;
        }
    return gpu_uncovered("texels of %d, %d, %d, %d bits of kind %d", channel->x, channel->y, channel->z, channel->w, channel->kind);
}

static int set_sampler(const struct texture *texture, struct ws_image_desc *image)
{
    static const u32 bits[] = {[ADDRESS_wrap] = WS_SAMPLER_repeat,
                               [ADDRESS_clamp] = WS_SAMPLER_edge,
                               [ADDRESS_mirror] = WS_SAMPLER_mirror,
                               [ADDRESS_border] = WS_SAMPLER_border};
    const u32 dimensions = image->shape == WS_IMAGE_3d                                        ? 3
                           : image->shape == WS_IMAGE_2d || image->shape == WS_IMAGE_2d_array ? 2
                                                                                              : 1;
    for (u32 n = 1; n < dimensions; n++)
        if (texture->address[n] != texture->address[0])
            return gpu_uncovered("a texture with several address modes (%d and %d)", texture->address[0], texture->address[n]);
    if (texture->srgb || texture->anisotropy > 1 || texture->address[0] < 0 || texture->address[0] > ADDRESS_border)
        return gpu_uncovered("textures of sRGB, with anisotropy or of address mode %d", texture->address[0]);
    for (u32 n = 0; n < 4; n++)
        if (texture->address[0] == ADDRESS_border && texture->border[n] != 0)
            return gpu_uncovered("textures with a border colour that is not zero");
    u32 address = bits[texture->address[0]];
    if (!texture->normalized && address >= WS_SAMPLER_repeat) /* hardware clamps then */
        address = WS_SAMPLER_edge;
    image->sampler =
        address | (texture->normalized ? WS_SAMPLER_normalised : 0) | (texture->filter ? WS_SAMPLER_linear : WS_SAMPLER_nearest);
    return GPU_none;
}

static int describe_array(const struct gpu_array *array, struct object *object, u8 **data)
{
    static const u32 flat[] = {0, WS_IMAGE_1d, WS_IMAGE_2d, WS_IMAGE_3d};
    struct ws_image_desc *const image = &object->image;
    image->shape = !array->layers ? flat[array->dimensions] : array->dimensions == 1 ? WS_IMAGE_1d_array : WS_IMAGE_2d_array;
    image->size[0] = (u32)array->width;
    image->size[1] = (u32)(array->layers && array->dimensions == 1 ? array->depth : array->height);
    image->size[2] = (u32)(array->layers && array->dimensions == 1 ? 1 : array->depth);
    *data = array->range->data;
    return set_format(&array->channel, object->texture.read == READ_normalized, image);
}

static int describe_linear(void *from, const struct gpu_channel *channel, u64 width, u64 height, u64 pitch, struct object *object,
                           u8 **data)
{
    const struct gpu_range *const range = gpu_memory_at(from);
    const u64 element = bytes_of(channel);
    if (!range || !element || (uintptr_t)from - range->address + (height - 1) * pitch + width * element > range->bytes)
        return gpu_fail(GPU_value, "the texture's memory at %p is not allocated", from);
    if (height > 1 && pitch < width * element)
        return gpu_fail(GPU_pitch, "found a pitch of %llu, the texture's rows have %llu bytes", (unsigned long long)pitch,
                        (unsigned long long)(width * element));
    object->pitch = height > 1 ? pitch : 0;
    object->image.shape = height > 0 && object->resource.kind == RESOURCE_pitch ? WS_IMAGE_2d : WS_IMAGE_1d_buffer;
    object->image.size[0] = (u32)width;
    object->image.size[1] = (u32)height;
    object->image.size[2] = 1;
    *data = from;
    return set_format(channel, object->texture.read == READ_normalized, &object->image);
}

static int describe(struct object *object, u8 **data)
{
    const struct resource *const resource = &object->resource;
    const struct gpu_array *array;
    switch (resource->kind) {
    case RESOURCE_array:
        array = gpu_array_find(resource->of.array);
        return array ? describe_array(array, object, data) : gpu_fail(GPU_handle, "%p is no array", resource->of.array);
    case RESOURCE_linear:
        if (bytes_of(&resource->of.linear.channel) == 0)
            return gpu_fail(GPU_channel, "the texels have 0 bits");
        return describe_linear(resource->of.linear.data, &resource->of.linear.channel,
                               resource->of.linear.bytes / bytes_of(&resource->of.linear.channel), 1, resource->of.linear.bytes,
                               object, data);
    case RESOURCE_pitch:
        return describe_linear(resource->of.pitch.data, &resource->of.pitch.channel, resource->of.pitch.width,
                               resource->of.pitch.height, resource->of.pitch.pitch, object, data);
    default:
        return gpu_uncovered("textures of mipmapped arrays");
    }
}

static int make_object(u64 *handle, const struct resource *resource, const struct texture *texture)
{
    static const struct texture plain = {.address = {ADDRESS_clamp, ADDRESS_clamp, ADDRESS_clamp}};
    struct object *const object = calloc(1, sizeof *object);
    u8 *data = NULL;
    if (!object)
        return GPU_memory;
    object->resource = *resource;
    object->texture = texture ? *texture : plain;
    int error = describe(object, &data);
    if (error == GPU_none)
        error = set_sampler(&object->texture, &object->image);
    const u64 row = object->image.size[0] * (u64)ws_image_texel_bytes(&object->image);
    const struct gpu_range *const range =
        error == GPU_none ? gpu_memory_add_image(&object->image, data, object->pitch ? object->pitch : row) : NULL;
    if (!range) {
        free(object);
        return error ? error : GPU_memory;
    }
    object->handle = *handle = range->address;
    object->next = objects;
    objects = object;
    return GPU_none;
}

static int destroy_object(u64 handle)
{
    struct object **at = &objects;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    if (!*at)
        return gpu_fail(GPU_handle, "0x%llx is no texture or surface", (unsigned long long)handle);
    struct object *const object = *at;
    gpu_memory_remove(gpu_memory_image(handle));
    *at = object->next;
    free(object);
    return GPU_none;
}

static int get_resource(struct resource *resource, u64 handle)
{
    for (const struct object *object = objects; object; object = object->next)
        if (object->handle == handle) {
            *resource = object->resource;
            return GPU_none;
        }
    return gpu_fail(GPU_handle, "0x%llx is no texture or surface", (unsigned long long)handle);
}

RUNTIME(cudaCreateTextureObject, (u64 * handle, const struct resource *resource, const struct texture *texture, const void *view),
        view ? gpu_uncovered("textures with a resource view") : make_object(handle, resource, texture))
RUNTIME(cudaDestroyTextureObject, (u64 handle), destroy_object(handle))
RUNTIME(cudaGetTextureObjectResourceDesc, (struct resource * resource, u64 handle), get_resource(resource, handle))
RUNTIME(cudaCreateSurfaceObject, (u64 * handle, const struct resource *resource), make_object(handle, resource, NULL))
RUNTIME(cudaDestroySurfaceObject, (u64 handle), destroy_object(handle))
RUNTIME(cudaGetSurfaceObjectResourceDesc, (struct resource * resource, u64 handle), get_resource(resource, handle))
