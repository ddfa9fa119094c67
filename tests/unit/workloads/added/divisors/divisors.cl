/* Greatest common divisors of (x, y), one pair a work-item, by Euclid's algorithm, over a grid of two dimensions whose corner is
 * (first_x, first_y). Each work-group, of any size, adds its items' results in local memory: share has an element per item, sums
 * one per group. */
__kernel void divisors(__global uint *divisor, __global uint *sums, __local uint *share, uint first_x, uint first_y)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    const uint item = get_local_id(1) * get_local_size(0) + get_local_id(0);
    uint a = first_x + x, b = first_y + y;
#pragma nounroll
    while (b > 0) {
        const uint rest = a % b;
        a = b;
        b = rest;
    }
    divisor[y * get_global_size(0) + x] = a;

    share[item] = a;
    for (uint left = get_local_size(0) * get_local_size(1); left > 1; left = (left + 1) / 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left / 2)
            share[item] += share[(left + 1) / 2 + item];
    }
    if (item == 0)
        sums[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = share[0];
}
