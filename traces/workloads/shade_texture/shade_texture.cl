/* A wall drawn in perspective, a pixel a work-item: five textures a pixel. Colour, shape of the surface (as slopes), gloss and
 * baked light lie on the wall, surroundings are looked up where the eye's ray is mirrored to. A texture is a square of side texels,
 * a power of two, in tiles of 4 x 4, four channels of a byte each; it repeats itself, and between texels it is bilinear. */
float4 channels(uint texel)
{
    return convert_float4((uint4)(texel & 255, texel >> 8 & 255, texel >> 16 & 255, texel >> 24)) * (1.0f / 255.0f);
}

float4 texel(__global const uint *texture, int x, int y, int side)
{
    const int column = x & (side - 1), row = y & (side - 1);
    return channels(texture[((row >> 2) * (side >> 2) + (column >> 2)) * 16 + (row & 3) * 4 + (column & 3)]);
}

/* place is in textures, texels' centres at half texels. */
float4 sample(__global const uint *texture, float2 place, int side)
{
    const float2 at = place * (float)side - 0.5f, corner = floor(at), part = at - corner;
    const int x = (int)corner.x, y = (int)corner.y;
    const float4 above = mix(texel(texture, x, y, side), texel(texture, x + 1, y, side), part.x);
    const float4 below = mix(texel(texture, x, y + 1, side), texel(texture, x + 1, y + 1, side), part.x);
    return mix(above, below, part.y);
}

__kernel void shade_texture(__global const uint *colours, __global const uint *slopes, __global const uint *gloss,
                            __global const uint *baked, __global const uint *surroundings, __global float4 *pixels, float8 view,
                            float4 light, int side)
{
    const float x = get_global_id(0) + 0.5f, y = get_global_id(1) + 0.5f;
    const float away = native_recip(view.s6 * x + view.s7 * y + 1.0f);
    const float2 place = away * (float2)(view.s0 * x + view.s1 * y + view.s2, view.s3 * x + view.s4 * y + view.s5);

    const float4 slope = sample(slopes, place, side), shine = sample(gloss, place, side);
    const float4 bent = (float4)(slope.x - 0.5f, slope.y - 0.5f, 1.0f, 0.0f), normal = native_rsqrt(dot(bent, bent)) * bent;
    const float4 eye = (float4)(0.0f, native_rsqrt(1.0f + away * away) * (float2)(away, 1.0f), 0.0f);
    const float4 mirrored = 2.0f * dot(normal, eye) * normal - eye;
    const float highlight = native_powr(clamp(dot(mirrored, light), 0.01f, 1.0f), 4.0f + 28.0f * shine.x);
    const float4 around = sample(surroundings, mirrored.xy, side);
    const float4 falling = max(dot(normal, light), 0.0f) + sample(baked, place, side);
    pixels[get_global_id(1) * get_global_size(0) + get_global_id(0)] =
        falling * sample(colours, place, side) + shine.y * highlight + shine.z * around;
}
