/* Histogram of ASCII characters. Each work-item counts into 128 private bins of a byte, and adds them to counters of its own in
 * global memory before one can overflow; then the items' counters are summed for each bin. One work-group of a multiple of BINS
 * items. partial has BINS counters for each item, zero at first, those of one bin side by side; histogram is zero at first. runs is
 * the number of items that have characters. */
#define BINS 128
#define SAFE 63 /* quads of characters: at most 252 of one kind */

union bins {
    uchar count[BINS];
    uint word[BINS / 4];
};

__kernel void histogram(__global const uchar4 *text, __global uint *partial, __global uint *histogram, uint quads, uint runs)
{
    const uint item = get_local_id(0);
    const uint items = get_local_size(0);
    union bins bins;
    for (uint quad = item; quad < quads;) {
        for (uint word = 0; word < BINS / 4; word++)
            bins.word[word] = 0;
#pragma nounroll
        for (uint n = 0; n < SAFE && quad < quads; n++, quad += items) {
            const uchar4 characters = text[quad];
            bins.count[characters.x]++;
            bins.count[characters.y]++;
            bins.count[characters.z]++;
            bins.count[characters.w]++;
        }
        for (uint bin = 0; bin < BINS; bin++)
            partial[bin * runs + item] += bins.count[bin];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    const uint shares = items / BINS;
    const uint bin = item / shares;
    uint sum = 0;
#pragma nounroll
    for (uint run = item % shares; run < runs; run += shares)
        sum += partial[bin * runs + run];
    atomic_add(&histogram[bin], sum);
}
