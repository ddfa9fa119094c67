/* One digit of a radix sort, last step: each work-group of 512 takes 1024 keys that radix_blocks has sorted by the digit and puts
 * them where they belong among all. first is as radix_blocks left it; place has, digit by digit, for each work-group where its keys
 * of the digit go. */
#define ITEMS 512

__kernel void radix_scatter(__global const uint2 *keys, __global uint *sorted, __global const uint *first,
                            __global const uint *place, uint shift, uint bits)
{
    __local uint offset[1 << 4]; /* from a key's place in the work-group to its place among all */
    const uint item = get_local_id(0), group = get_group_id(0), digits = 1 << bits;
    if (item < digits)
        offset[item] = place[item * get_num_groups(0) + group] - first[group * digits + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint2 key = keys[get_global_id(0)];
    const uint2 digit = key >> shift & (digits - 1);
    sorted[offset[digit.x] + 2 * item] = key.x;
    sorted[offset[digit.y] + 2 * item + 1] = key.y;
}
