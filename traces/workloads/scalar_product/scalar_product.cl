/* Scalar products of pairs of vectors of size elements, a pair at a time for each work-group: strided sums into 1024 accumulators
 * in local memory, then a tree of barriers. */
#define SUMS 1024

__kernel void scalar_product(__global float *products, __global const float *a, __global const float *b, uint pairs, uint size)
{
    __local float sums[SUMS];
    const uint item = get_local_id(0), items = get_local_size(0);
    for (uint pair = get_group_id(0); pair < pairs; pair += get_num_groups(0)) {
        const uint first = pair * size, end = first + size;
        for (uint n = item; n < SUMS; n += items) {
            float sum = 0.0f;
#pragma nounroll
            for (uint element = first + n; element < end; element += SUMS)
                sum += a[element] * b[element];
            sums[n] = sum;
        }
        for (uint left = SUMS / 2; left > 0; left /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint n = item; n < left; n += items)
                sums[n] += sums[left + n];
        }
        if (item == 0)
            products[pair] = sums[0];
        barrier(CLK_LOCAL_MEM_FENCE); /* the next pair overwrites what the last level reads */
    }
}
