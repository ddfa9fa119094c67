/* The scalar product of two vectors, a partial sum for each work-group: an example of a kernel of one's own.
 * sums holds one element a work-item; the size of a work-group is a power of two. */
__kernel void dot_product(__global const int *a, __global const int *b, __global int *partial, __local int *sums, uint count)
{
    const uint item = get_local_id(0);
    int sum = 0;
    for (size_t n = get_global_id(0); n < count; n += get_global_size(0))
        sum += a[n] * b[n];
    sums[item] = sum;
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size)
            sums[item] += sums[item + half_size];
    }
    if (item == 0)
        partial[get_group_id(0)] = sums[0];
}
