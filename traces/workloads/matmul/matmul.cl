/* C = A x B, integers, row by row in memory. One work-group; each work-item computes one element at a time, the group a run of
 * neighbouring elements: its reads of B and writes of C are contiguous, its reads of A mostly one address. */
__kernel void matmul(__global const int *a, __global const int *b, __global int *c, uint rows, uint depth, uint columns)
{
    for (uint element = get_local_id(0); element < rows * columns; element += get_local_size(0)) {
        const uint row = element / columns;
        const uint column = element % columns;
        int sum = 0;
        for (uint k = 0; k < depth; k++)
            sum += a[row * depth + k] * b[k * columns + column];
        c[element] = sum;
    }
}
