/* The number of true values among booleans of a byte each. One work-group: every work-item counts four neighbours at a time, the
 * group a contiguous run of memory; then the counts are added pairwise, a barrier between the levels of the tree. partial has an
 * element for each work-item, a power of two of them; the result is its first. */
__kernel void reduction(__global const uchar4 *values, __global uint *partial, uint quads)
{
    const size_t item = get_local_id(0);
    uint count = 0;
    for (size_t quad = item; quad < quads; quad += get_local_size(0)) {
        const uchar4 value = values[quad];
        count += value.x + value.y + value.z + value.w;
    }
    partial[item] = count;

    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (item < half_size)
            partial[item] += partial[item + half_size];
    }
}
