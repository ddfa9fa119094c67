/* Texels of images: position, contents, and the result of sampling. */
#pragma once

#include <stdbool.h>

#include "warpsweep/frontend.h"

/* Image channels as instructions name them. */
enum { WS_RED, WS_GREEN, WS_BLUE, WS_ALPHA, WS_CHANNELS };

/* Properties for txq and suq. */
enum ws_image_property {
    WS_PROPERTY_width,
    WS_PROPERTY_height,
    WS_PROPERTY_depth,
    WS_PROPERTY_array_size,
    WS_PROPERTY_channel_order,
    WS_PROPERTY_channel_data_type,
    WS_PROPERTY_normalized_coords, /* of the image's own sampler, like the next ones */
    WS_PROPERTY_filter_mode,
    WS_PROPERTY_addr_mode_0,
    WS_PROPERTY_addr_mode_1,
    WS_PROPERTY_addr_mode_2,
    WS_PROPERTIES
};

/* Effect of an access outside of a surface. */
enum ws_outside { WS_OUTSIDE_trap, WS_OUTSIDE_clamp, WS_OUTSIDE_zero };

/* A row of images.def. */
struct ws_shape_row {
    const char *name, *type;
    u32 dimensions, layers;
};
extern const struct ws_shape_row ws_image_shapes[WS_IMAGE_SHAPES];

u32 ws_image_channels(const struct ws_image_desc *image);

/* Whether channels are real numbers, fractions included. */
bool ws_image_is_real(const struct ws_image_desc *image);

/* Whether the image has this shape, for instructions that do not know buffers. */
bool ws_image_has_shape(const struct ws_image_desc *image, u32 shape);

u32 ws_image_property(const struct ws_image_desc *image, enum ws_image_property property);

/* A texel in the image's bytes. */
u64 ws_image_offset(const struct ws_image_desc *image, const u32 at[3]);

/* Position in the trace's texture memory, where an image of several dimensions lies in tiles of 32 bytes by 4 rows; and the bytes
 * of a whole image there. */
u64 ws_image_tiled(const struct ws_image_desc *image, const u32 at[3]);
u64 ws_image_tiled_bytes(const struct ws_image_desc *image);

/* A texel's channels as registers hold them: floats, or integers extended to 32 bits. Missing channels are 0, alpha 1. */
void ws_texel_read(const struct ws_image_desc *image, const u8 *texel, u32 channels[WS_CHANNELS]);
void ws_texel_write(const struct ws_image_desc *image, u8 *texel, const u32 channels[WS_CHANNELS]);

/* The border's colour: transparent where the image has alpha, else black. */
void ws_image_border(const struct ws_image_desc *image, u32 channels[WS_CHANNELS]);

/* A position in an image: integers or real numbers. The last coordinate of an array is a layer, always an integer. */
struct ws_image_place {
    bool real;
    i32 integer[3];
    float number[3];
};

/* The sampled value (OpenCL 1.2, 8.2), and the texel with the lowest coordinates among those used. */
void ws_image_sample(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 first[3], u32 channels[WS_CHANNELS]);

/* tld4: one channel of the four texels of bilinear filtering, counterclockwise from the lower left (PTX ISA, tld4). */
void ws_image_gather(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 channel, u32 first[3], u32 values[4]);
