/* Texels of images: where they are, what they hold, and what a sampler makes of them. */
#pragma once

#include <stdbool.h>

#include "warpsweep/frontend.h"

/* Channels as instructions see them. */
enum { WS_RED, WS_GREEN, WS_BLUE, WS_ALPHA, WS_CHANNELS };

/* What txq and suq ask for. */
enum ws_image_property {
    WS_PROPERTY_width,
    WS_PROPERTY_height,
    WS_PROPERTY_depth,
    WS_PROPERTY_array_size,
    WS_PROPERTY_channel_order,
    WS_PROPERTY_channel_data_type,
    WS_PROPERTY_normalized_coords, /* of the image's own sampler, as the next ones */
    WS_PROPERTY_filter_mode,
    WS_PROPERTY_addr_mode_0,
    WS_PROPERTY_addr_mode_1,
    WS_PROPERTY_addr_mode_2,
    WS_PROPERTIES
};

/* What an access outside of a surface does. */
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

/* Whether the image is of this shape, to instructions that do not know buffers. */
bool ws_image_has_shape(const struct ws_image_desc *image, u32 shape);

u32 ws_image_property(const struct ws_image_desc *image, enum ws_image_property property);

/* A texel in the image's bytes. */
u64 ws_image_offset(const struct ws_image_desc *image, const u32 at[3]);

/* The same in a trace's texture memory, where an image of several dimensions lies in tiles of 32 bytes by 4 rows, and how much of
 * it an image takes. */
u64 ws_image_tiled(const struct ws_image_desc *image, const u32 at[3]);
u64 ws_image_tiled_bytes(const struct ws_image_desc *image);

/* A texel's channels as registers hold them: floats, or integers extended to 32 bits. Channels that it lacks are 0, alpha 1. */
void ws_texel_read(const struct ws_image_desc *image, const u8 *texel, u32 channels[WS_CHANNELS]);
void ws_texel_write(const struct ws_image_desc *image, u8 *texel, const u32 channels[WS_CHANNELS]);

/* The border's colour: transparent where the image has alpha, else black. */
void ws_image_border(const struct ws_image_desc *image, u32 channels[WS_CHANNELS]);

/* A place in an image: integers, or real numbers; of arrays, the last one is a layer, an integer in any case. */
struct ws_image_place {
    bool real;
    i32 integer[3];
    float number[3];
};

/* What is sampled there (OpenCL 1.2, 8.2), and the texel with the lowest numbers of those it is made of. */
void ws_image_sample(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 first[3], u32 channels[WS_CHANNELS]);

/* One channel of the four texels that linear filtering in two dimensions takes: from below on the left, against the clock (PTX ISA,
 * tld4). */
void ws_image_gather(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 channel, u32 first[3], u32 values[4]);
