/* Columns of an image convolved with a filter of 17 values, a pixel a work-item. Pixels beyond the border are those at it, as a
 * texture unit clamps them; here each is a load. Neighbours share what they read through a cache, not in local memory. */
#define RADIUS 8

__kernel void conv_texture_columns(__global const float *image, __constant float *filter, __global float *result, int width,
                                   int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += filter[RADIUS - offset] * image[clamp(y + offset, 0, height - 1) * width + x];
    result[y * width + x] = sum;
}
