/* C = A x B, single precision, row by row in memory: a work-group computes a square tile of C, an element a work-item, and keeps in
 * local memory the tiles of A and B that it multiplies. Rows, depth and columns are multiples of a tile's side. */
#define SIDE 16

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void matrix_tiles(__global const float *a, __global const float *b,
                                                                                __global float *c, uint depth, uint columns)
{
    __local float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
    const uint x = get_local_id(0), y = get_local_id(1);
    const uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;
#pragma nounroll
    for (uint first = 0; first < depth; first += SIDE) {
        tile_a[y][x] = a[row * depth + first + x];
        tile_b[y][x] = b[(first + y) * columns + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < SIDE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * columns + column] = sum;
}
