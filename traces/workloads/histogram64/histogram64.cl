/* Partial histograms of the leading six bits of bytes, one for each work-group of 64. Each work-item has a counter of a byte for
 * each bin in local memory; counters of one bin lie side by side, four work-items' in a word, so placed that 16 neighbours use 16
 * words. A work-item takes up to 15 elements of 16 bytes: a counter cannot overflow. Then each work-item adds a bin, beginning at a
 * word of its own. */
#define ITEMS 64
#define BINS  64

static inline void count(__local uchar *counters, uint word)
{
    counters[(word >> 2 & 63) * ITEMS]++;
    counters[(word >> 10 & 63) * ITEMS]++;
    counters[(word >> 18 & 63) * ITEMS]++;
    counters[(word >> 26 & 63) * ITEMS]++;
}

__kernel void histogram64(__global const uint4 *data, __global uint *partial, uint elements)
{
    __local uint words[BINS * ITEMS / 4];
    const uint item = get_local_id(0);
    __local uchar *const counters = (__local uchar *)words + ((item & 15) << 2 | item >> 4);
    for (uint n = 0; n < BINS / 4; n++)
        words[n * ITEMS + item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma nounroll
    for (uint n = get_group_id(0) * ITEMS + item; n < elements; n += get_num_groups(0) * ITEMS) {
        const uint4 element = data[n];
        count(counters, element.x);
        count(counters, element.y);
        count(counters, element.z);
        count(counters, element.w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint sum = 0;
    for (uint n = 0; n < ITEMS / 4; n++) {
        const uint word = words[item * (ITEMS / 4) + (item + n) % (ITEMS / 4)];
        sum += (word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24);
    }
    partial[get_group_id(0) * BINS + item] = sum;
}
