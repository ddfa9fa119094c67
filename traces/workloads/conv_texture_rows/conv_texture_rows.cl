/* Rows of an image convolved with a filter of 17 values, a pixel a work-item, through the texture unit, which takes the pixels at
 * the border for those beyond it. Neighbours share what they read through its cache, not in local memory. */
#define RADIUS 8

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void conv_texture_rows(__read_only image2d_t image, __constant float *filter, __global float *result, int width,
                                int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += filter[RADIUS - offset] * read_imagef(image, nearest, (float2)(x + offset + 0.5f, y + 0.5f)).x;
    result[y * width + x] = sum;
}
