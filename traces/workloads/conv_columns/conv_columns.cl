/* Columns of an image convolved with a filter of 17 values; pixels beyond the border are 0. A work-group of 16 x 8 takes 8 x 8
 * pixels of each of 16 columns, 8 results a work-item, from a tile in local memory with 8 more pixels at either end. A column is
 * contiguous in the tile, which has an element more a column so that neighbours lie in different banks. */
#define RADIUS  8
#define WIDE    16 /* work-items */
#define HIGH    8
#define RESULTS 8

__kernel void conv_columns(__global const float *image, __constant float *filter, __global float *result, int width, int height)
{
    __local float tile[WIDE][(RESULTS + 2) * HIGH + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int first = ((int)get_group_id(1) * RESULTS - 1) * HIGH + y; /* row of the tile's first pixel */
    const int column = (int)get_group_id(0) * WIDE + x;
    image += first * width + column;
    result += first * width + column;

#pragma unroll
    for (int n = 1; n <= RESULTS; n++)
        tile[x][n * HIGH + y] = image[n * HIGH * width];
    tile[x][y] = first >= 0 ? image[0] : 0.0f;
    tile[x][(RESULTS + 1) * HIGH + y] = first + (RESULTS + 1) * HIGH < height ? image[(RESULTS + 1) * HIGH * width] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (int n = 1; n <= RESULTS; n++) {
        float sum = 0.0f;
#pragma unroll
        for (int offset = -RADIUS; offset <= RADIUS; offset++)
            sum += filter[RADIUS - offset] * tile[x][n * HIGH + y + offset];
        result[n * HIGH * width] = sum;
    }
}
