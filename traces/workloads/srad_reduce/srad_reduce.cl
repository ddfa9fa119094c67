/* Sums of an image's values and of their squares, as speckle reducing diffusion needs them in every step: a tree for each
 * work-group of 512 in local memory, where work-item n adds in the steps whose distance divides n + 1. Work-items beyond the image
 * add nothing. */
#define ITEMS 512

__kernel void srad_reduce(__global const float *values, __global const float *squares, __global float2 *sums, uint count)
{
    __local float sum[ITEMS], square[ITEMS];
    const uint n = get_global_id(0), item = get_local_id(0);
    sum[item] = n < count ? values[n] : 0.0f;
    square[item] = n < count ? squares[n] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma nounroll
    for (uint distance = 2; distance <= ITEMS; distance *= 2) {
        if ((item + 1) % distance == 0) {
            sum[item] += sum[item - distance / 2];
            square[item] += square[item - distance / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == ITEMS - 1)
        sums[get_group_id(0)] = (float2)(sum[item], square[item]);
}
