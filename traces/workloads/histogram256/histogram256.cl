/* Partial histograms of bytes, one for each work-group of 192: every 32 work-items count into a histogram of their own in local
 * memory, with atomics; then the six are added. */
#define ITEMS   192
#define SHARING 32 /* work-items with one histogram */
#define BINS    256

__kernel void histogram256(__global const uint *data, __global uint *partial, uint elements)
{
    __local uint counters[ITEMS / SHARING * BINS];
    const uint item = get_local_id(0);
    __local uint *const own = counters + item / SHARING * BINS;
    for (uint n = 0; n < BINS / SHARING; n++)
        counters[n * ITEMS + item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma nounroll
    for (uint n = get_group_id(0) * ITEMS + item; n < elements; n += get_num_groups(0) * ITEMS) {
        const uint word = data[n];
        atomic_inc(&own[word & 255]);
        atomic_inc(&own[word >> 8 & 255]);
        atomic_inc(&own[word >> 16 & 255]);
        atomic_inc(&own[word >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint bin = item; bin < BINS; bin += ITEMS) {
        uint sum = 0;
        for (uint n = 0; n < ITEMS / SHARING; n++)
            sum += counters[n * BINS + bin];
        partial[get_group_id(0) * BINS + bin] = sum;
    }
}
