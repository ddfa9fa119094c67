/* Texture sampling (OpenCL 1.2, 8.2) in floating point; hardware has fewer bits for weights. */
#include <math.h>
#include <string.h>

#include "frontend/exec/arithmetic/value.h"
#include "frontend/ptx/image.h"

/* The two texels on either side of a coordinate (OUTSIDE: the border), and the weight of the second. */
struct along {
    s64 at[2];
    double weight;
};
enum { OUTSIDE = -1, ADDRESS_BITS = 0xE };

static s64 wrapped(s64 n, s64 size, u32 address)
{
    if (address == WS_SAMPLER_repeat)
        n = n < 0 ? n + size : n >= size ? n - size : n;
    if (address == WS_SAMPLER_border && (n < 0 || n >= size))
        return OUTSIDE;
    return n < 0 ? 0 : n >= size ? size - 1 : n;
}

static struct along place_along(float number, u32 size, u32 sampler, bool linear)
{
    const u32 address = sampler & ADDRESS_BITS;
    const float texels = (float)size;
    float at = number;
    if (sampler & WS_SAMPLER_normalised)
        at = texels * (address == WS_SAMPLER_repeat   ? number - floorf(number)
                       : address == WS_SAMPLER_mirror ? fabsf(number - 2 * rintf(0.5f * number))
                                                      : number);
    at = fminf(fmaxf(at, -2), texels + 2) - (linear ? 0.5f : 0); /* NaN is outside */
    const s64 first = (s64)floorf(at);
    return (struct along){.at = {wrapped(first, size, address), wrapped(first + 1, size, address)},
                          .weight = linear ? (double)(at - floorf(at)) : 0};
}

/* All three coordinates; missing dimensions are 0. */
static void place_all(const struct ws_image_desc *image, u32 sampler, const struct ws_image_place *place, bool linear,
                      struct along along[3])
{
    const struct ws_shape_row *const row = &ws_image_shapes[image->shape];
    for (u32 n = 0; n < 3; n++) {
        const s64 integer = place->integer[n], size = image->size[n];
        const s64 at = n >= row->dimensions ? wrapped(n < row->dimensions + row->layers ? integer : 0, size, WS_SAMPLER_edge)
                                            : wrapped(integer, size, sampler & ADDRESS_BITS);
        along[n] = (struct along){.at = {at, at}};
        if (n < row->dimensions && place->real)
            along[n] = place_along(place->number[n], image->size[n], sampler, linear);
    }
}

/* The texel of a corner: a bit for each dimension chooses between the two. */
static void read_corner(const struct ws_image_desc *image, const u8 *texels, const struct along along[3], u32 corner,
                        u32 channels[WS_CHANNELS])
{
    u32 at[3];
    for (u32 n = 0; n < 3; n++) {
        const s64 chosen = along[n].at[corner >> n & 1];
        if (chosen == OUTSIDE) {
            ws_image_border(image, channels);
            return;
        }
        at[n] = (u32)chosen;
    }
    ws_texel_read(image, texels + ws_image_offset(image, at), channels);
}

static void find_first(const struct ws_image_desc *image, const struct along along[3], const struct ws_image_place *place,
                       u32 first[3])
{
    for (u32 n = 0; n < 3; n++) {
        const bool before = place->real ? place->number[n] < 1 : place->integer[n] < 0;
        const s64 inside = along[n].at[0] != OUTSIDE ? along[n].at[0] : along[n].at[1];
        first[n] = inside != OUTSIDE ? (u32)inside : before ? 0 : image->size[n] - 1;
    }
}

void ws_image_sample(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 first[3], u32 channels[WS_CHANNELS])
{
    const bool linear = sampler & WS_SAMPLER_linear && place->real && ws_image_is_real(image);
    struct along along[3];
    double sums[WS_CHANNELS] = {0};
    place_all(image, sampler, place, linear, along);
    find_first(image, along, place, first);
    if (!linear) {
        read_corner(image, texels, along, 0, channels);
        return;
    }
    for (u32 corner = 0; corner < 8; corner++) {
        double weight = 1;
        for (u32 n = 0; n < 3; n++)
            weight *= corner >> n & 1 ? along[n].weight : 1 - along[n].weight;
        if (weight == 0)
            continue;
        read_corner(image, texels, along, corner, channels);
        for (u32 n = 0; n < WS_CHANNELS; n++)
            sums[n] += weight * (double)ws_f32(channels[n]);
    }
    for (u32 n = 0; n < WS_CHANNELS; n++)
        channels[n] = (u32)ws_bits_f32((float)sums[n]);
}

void ws_image_gather(const struct ws_image_desc *image, const u8 *texels, u32 sampler, const struct ws_image_place *place,
                     u32 channel, u32 first[3], u32 values[4])
{
    static const u32 corners[] = {2, 3, 1, 0};
    struct along along[3];
    place_all(image, sampler, place, true, along);
    find_first(image, along, place, first);
    for (u32 n = 0; n < 4; n++) {
        u32 channels[WS_CHANNELS];
        read_corner(image, texels, along, corners[n], channels);
        values[n] = channels[channel];
    }
}
