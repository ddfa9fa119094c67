/* Partial histograms added: a work-group of 256 adds one bin of 64, in strided sums and then a tree of barriers. */
#define ITEMS 256
#define BINS  64

__kernel void histogram64_merge(__global uint *histogram, __global const uint *partial, uint histograms)
{
    __local uint sums[ITEMS];
    const uint item = get_local_id(0), bin = get_group_id(0);
    uint sum = 0;
#pragma nounroll
    for (uint n = item; n < histograms; n += ITEMS)
        sum += partial[n * BINS + bin];
    sums[item] = sum;
    for (uint left = ITEMS / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left)
            sums[item] += sums[item + left];
    }
    if (item == 0)
        histogram[bin] = sums[0];
}
