/* Bucket sort of random integers: count the keys of each bucket, scan the counts, scatter the keys, and let each work-item sort its
 * buckets, which differ in size. A bucket has the keys with the same high bits; shift is the number of the others. One work-group.
 * ends has a count for each bucket, a power of two of them, at first zero; sums has two elements for each work-item. */
__kernel void sort(__global const uint *keys, __global uint *sorted, __global uint *ends, __global uint *sums, uint count,
                   uint buckets, uint shift)
{
    const uint item = get_local_id(0);
    const uint items = get_local_size(0);
    const uint runs = min(items, buckets), run = buckets / runs;

    for (uint n = item; n < count; n += items)
        atomic_inc(&ends[keys[n] >> shift]);
    barrier(CLK_GLOBAL_MEM_FENCE);

    /* Where each run of buckets begins: sums of the runs, added up over distances that double. */
    __global uint *from = sums, *to = sums + items;
    if (item < runs) {
        uint sum = 0;
        for (uint bucket = item * run; bucket < (item + 1) * run; bucket++)
            sum += ends[bucket];
        from[item] = sum;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint distance = 1; distance < runs; distance *= 2) {
        if (item < runs)
            to[item] = from[item] + (item >= distance ? from[item - distance] : 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global uint *const swap = from;
        from = to;
        to = swap;
    }
    if (item < runs) {
        uint begin = item > 0 ? from[item - 1] : 0;
        for (uint bucket = item * run; bucket < (item + 1) * run; bucket++) {
            const uint size = ends[bucket];
            ends[bucket] = begin;
            begin += size;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    /* A bucket fills from where it begins; then its element of ends is where it ends. */
    for (uint n = item; n < count; n += items) {
        const uint key = keys[n];
        sorted[atomic_inc(&ends[key >> shift])] = key;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    for (uint bucket = item; bucket < buckets; bucket += items) {
        const uint begin = bucket > 0 ? ends[bucket - 1] : 0, end = ends[bucket];
        for (uint n = begin + 1; n < end; n++) {
            const uint key = sorted[n];
            uint place = n;
            while (place > begin && sorted[place - 1] > key) {
                sorted[place] = sorted[place - 1];
                place--;
            }
            sorted[place] = key;
        }
    }
}
