/* Rows of an image convolved with a filter of 17 values; pixels beyond the border are 0. A work-group of 16 x 4 takes 8 x 16 pixels
 * of each of four rows, 8 results a work-item, from a tile in local memory with 16 more pixels at either end. */
#define RADIUS  8
#define WIDE    16 /* work-items */
#define HIGH    4
#define RESULTS 8

__kernel void conv_rows(__global const float *image, __constant float *filter, __global float *result, int width, int height)
{
    __local float tile[HIGH][(RESULTS + 2) * WIDE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int first = ((int)get_group_id(0) * RESULTS - 1) * WIDE + x; /* column of the tile's first pixel */
    const int row = (int)get_group_id(1) * HIGH + y;
    image += row * width + first;
    result += row * width + first;

#pragma unroll
    for (int n = 1; n <= RESULTS; n++)
        tile[y][n * WIDE + x] = image[n * WIDE];
    tile[y][x] = first >= 0 ? image[0] : 0.0f;
    tile[y][(RESULTS + 1) * WIDE + x] = first + (RESULTS + 1) * WIDE < width ? image[(RESULTS + 1) * WIDE] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (int n = 1; n <= RESULTS; n++) {
        float sum = 0.0f;
#pragma unroll
        for (int offset = -RADIUS; offset <= RADIUS; offset++)
            sum += filter[RADIUS - offset] * tile[y][n * WIDE + x + offset];
        result[n * WIDE] = sum;
    }
}
