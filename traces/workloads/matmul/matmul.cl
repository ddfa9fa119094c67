/* C = A x B, integers, row by row in memory. One work-group; each work-item computes one element at a time, the group a run of
 * neighbouring elements: its reads of B and writes of C are contiguous, its reads of A mostly one address. */
__kernel void matmul(__global const int *a, __global const int *b, __global int *c, uint rows, uint depth, uint columns)
{
    for (uint element = get_local_id(0); element < rows * columns; element += get_local_size(0)) {
        __global const int *along_row = a + element / columns * depth;
        __global const int *const row_end = along_row + depth;
        __global const int *down_column = b + element % columns;
        int sum = 0;
        for (; along_row < row_end; along_row++, down_column += columns)
            sum += *along_row * *down_column;
        c[element] = sum;
    }
}
