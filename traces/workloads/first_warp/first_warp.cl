/* The first 32 work-items of each work-group compute for rounds, all others write their result at once. */
__kernel void first_warp(__global const uint *numbers, __global uint *results, uint rounds)
{
    uint number = numbers[get_global_id(0)];
    if (get_local_id(0) < 32)
#pragma nounroll
        for (uint round = 0; round < rounds; round++)
            number = number * 1664525 + 1013904223;
    results[get_global_id(0)] = number;
}
