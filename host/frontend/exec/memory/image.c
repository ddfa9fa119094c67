#include "frontend/ptx/image.h"

#include <math.h>
#include <string.h>

#include "frontend/exec/arithmetic/half.h"

enum { ZERO = 4, ONE = 5 }; /* no channel */
enum kind { KIND_unit, KIND_integer, KIND_real };
enum { TILE_BYTES = 32, TILE_ROWS = 4 };

const struct ws_shape_row ws_image_shapes[WS_IMAGE_SHAPES] = {
#define IMAGE_SHAPE(name_, type_, dimensions_, layers_) {#name_, type_, dimensions_, layers_},
#include "warpsweep/images.def"
#undef IMAGE_SHAPE
};

static const struct {
    u32 number;
    u8 channel[WS_CHANNELS];
} orders[WS_ORDERS] = {
#define IMAGE_ORDER(name, number, red, green, blue, alpha) {number, {red, green, blue, alpha}},
#include "warpsweep/images.def"
#undef IMAGE_ORDER
};

static const struct {
    u32 number, bits;
    bool is_signed;
    enum kind kind;
} formats[WS_FORMATS] = {
#define BITS_i8                                   8
#define BITS_u8                                   8
#define BITS_i16                                  16
#define BITS_u16                                  16
#define BITS_i32                                  32
#define BITS_u32                                  32
#define BITS_f32                                  32
#define IMAGE_FORMAT(name, number, element, kind) {number, BITS_##element, #element[0] == 'i', KIND_##kind},
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
};

/* ---- Shape and size ---- */

u32 ws_image_channels(const struct ws_image_desc *image)
{
    u32 count = 0;
    for (u32 n = 0; n < WS_CHANNELS; n++)
        if (orders[image->order].channel[n] < ZERO && orders[image->order].channel[n] >= count)
            count = orders[image->order].channel[n] + 1u;
    return count;
}

u32 ws_image_texel_bytes(const struct ws_image_desc *image)
{
    return ws_image_channels(image) * formats[image->format].bits / 8;
}

u64 ws_image_bytes(const struct ws_image_desc *image)
{
    return (u64)image->size[0] * image->size[1] * image->size[2] * ws_image_texel_bytes(image);
}

bool ws_image_is_real(const struct ws_image_desc *image)
{
    return formats[image->format].kind != KIND_integer;
}

bool ws_image_has_shape(const struct ws_image_desc *image, u32 shape)
{
    return image->shape == shape || (shape == WS_IMAGE_1d && image->shape == WS_IMAGE_1d_buffer);
}

/* Numbers of the addressing modes in the order in which the PTX ISA lists them (5.3.1). */
static u32 address_mode(u32 sampler)
{
    enum { WRAP, MIRROR, CLAMP_OGL, CLAMP_TO_EDGE, CLAMP_TO_BORDER, ADDRESS = 0xE };
    switch (sampler & ADDRESS) {
    case WS_SAMPLER_repeat:
        return WRAP;
    case WS_SAMPLER_mirror:
        return MIRROR;
    default:
        return (sampler & ADDRESS) == WS_SAMPLER_border ? CLAMP_TO_BORDER : CLAMP_TO_EDGE;
    }
}

u32 ws_image_property(const struct ws_image_desc *image, enum ws_image_property property)
{
    const struct ws_shape_row *const row = &ws_image_shapes[image->shape];
    switch (property) {
    case WS_PROPERTY_width:
        return image->size[0];
    case WS_PROPERTY_height:
        return row->dimensions > 1 ? image->size[1] : 1;
    case WS_PROPERTY_depth:
        return row->dimensions > 2 ? image->size[2] : 1;
    case WS_PROPERTY_array_size:
        return row->layers ? image->size[row->dimensions] : 1;
    case WS_PROPERTY_channel_order:
        return orders[image->order].number;
    case WS_PROPERTY_normalized_coords:
        return (image->sampler & WS_SAMPLER_normalised) != 0;
    case WS_PROPERTY_filter_mode:
        return (image->sampler & WS_SAMPLER_linear) != 0;
    case WS_PROPERTY_addr_mode_0:
    case WS_PROPERTY_addr_mode_1:
    case WS_PROPERTY_addr_mode_2:
        return address_mode(image->sampler);
    default:
        return formats[image->format].number;
    }
}

/* ---- Places ---- */

u64 ws_image_offset(const struct ws_image_desc *image, const u32 at[3])
{
    return (((u64)at[2] * image->size[1] + at[1]) * image->size[0] + at[0]) * ws_image_texel_bytes(image);
}

static u64 tiles(u64 size, u64 of)
{
    return (size + of - 1) / of;
}

/* Rows of a tile: those of an array of one dimension lie apart. */
static u64 tile_rows(const struct ws_image_desc *image)
{
    return ws_image_shapes[image->shape].dimensions > 1 ? TILE_ROWS : 1;
}

u64 ws_image_tiled(const struct ws_image_desc *image, const u32 at[3])
{
    const u64 byte = (u64)at[0] * ws_image_texel_bytes(image), rows = tile_rows(image);
    const u64 across = tiles((u64)image->size[0] * ws_image_texel_bytes(image), TILE_BYTES), down = tiles(image->size[1], rows);
    const u64 tile = (at[2] * down + at[1] / rows) * across + byte / TILE_BYTES;
    return (tile * rows + at[1] % rows) * TILE_BYTES + byte % TILE_BYTES;
}

u64 ws_image_tiled_bytes(const struct ws_image_desc *image)
{
    const u64 rows = tile_rows(image), across = tiles((u64)image->size[0] * ws_image_texel_bytes(image), TILE_BYTES);
    return across * tiles(image->size[1], rows) * image->size[2] * rows * TILE_BYTES;
}

/* ---- Texels ---- */

/* The value of a channel from its bits. */
static u32 decoded(u32 format, u32 bits)
{
    const u32 width = formats[format].bits;
    const i32 extended = formats[format].is_signed ? (i32)(bits << (32 - width)) >> (32 - width) : (i32)bits;
    const double most = (double)((1u << (formats[format].is_signed ? width - 1 : width) % 32) - 1u);
    switch (formats[format].kind) {
    case KIND_integer:
        return (u32)extended;
    case KIND_unit:
        return (u32)ws_raw_f32(fmaxf((float)(extended / most), -1.0f));
    default:
        return width == 32 ? bits : (u32)ws_raw_f32((float)ws_half_value(bits, 0, WS_TYPE_f16));
    }
}

/* The nearest value that the bits can represent; NaN is 0. */
static u32 encoded(u32 format, u32 channel)
{
    const u32 width = formats[format].bits, sign = formats[format].is_signed ? 1u : 0u;
    const double most = (double)(UINT64_MAX >> (64 - width + sign)), least = sign ? -most - 1 : 0;
    double value = (double)ws_f32(channel) * most;
    if (formats[format].kind == KIND_real)
        return width == 32 ? channel : (u32)ws_half_bits((double)ws_f32(channel), WS_TYPE_f16, WS_ROUND_nearest, 0);
    if (formats[format].kind == KIND_integer)
        value = sign ? (double)(i32)channel : (double)channel;
    value = value == value ? fmin(fmax(rint(value), least), most) : 0;
    return (u32)(s64)value & (u32)(UINT64_MAX >> (64 - width));
}

static u32 one(const struct ws_image_desc *image)
{
    return ws_image_is_real(image) ? (u32)ws_raw_f32(1.0f) : 1;
}

void ws_texel_read(const struct ws_image_desc *image, const u8 *texel, u32 channels[WS_CHANNELS])
{
    const u32 bytes = formats[image->format].bits / 8;
    for (u32 n = 0; n < WS_CHANNELS; n++) {
        const u32 channel = orders[image->order].channel[n];
        u32 bits = 0;
        channels[n] = channel == ONE ? one(image) : 0;
        if (channel >= ZERO)
            continue;
        memcpy(&bits, texel + channel * bytes, bytes);
        channels[n] = decoded(image->format, bits);
    }
}

void ws_texel_write(const struct ws_image_desc *image, u8 *texel, const u32 channels[WS_CHANNELS])
{
    const u32 bytes = formats[image->format].bits / 8;
    for (u32 n = WS_CHANNELS; n-- > 0;) { /* of several encodings of a channel, the first */
        const u32 channel = orders[image->order].channel[n], bits = encoded(image->format, channels[n]);
        if (channel < ZERO)
            memcpy(texel + channel * bytes, &bits, bytes);
    }
}

void ws_image_border(const struct ws_image_desc *image, u32 channels[WS_CHANNELS])
{
    memset(channels, 0, WS_CHANNELS * sizeof *channels);
    if (orders[image->order].channel[WS_ALPHA] == ONE)
        channels[WS_ALPHA] = one(image);
}
