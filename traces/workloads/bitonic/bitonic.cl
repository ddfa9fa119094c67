/* Bitonic sort in global memory, a key a work-item: each work-group sorts its own run of keys. Its items are a power of two. Keys
 * are volatile, so that the compare and exchange of either direction stays behind a branch. */
#define ITEMS 256

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void bitonic(volatile __global uint *keys)
{
    const uint item = get_local_id(0);
    volatile __global uint *const key = keys + ITEMS * get_group_id(0);

#pragma nounroll
    for (uint length = 2; length <= ITEMS; length *= 2)
#pragma nounroll
        for (uint distance = length / 2; distance > 0; distance /= 2) {
            const uint partner = item ^ distance;
            if (partner > item) {
                const uint own = key[item], other = key[partner];
                if ((item & length) == 0) {
                    if (own > other) {
                        key[item] = other;
                        key[partner] = own;
                    }
                } else {
                    if (own < other) {
                        key[item] = other;
                        key[partner] = own;
                    }
                }
            }
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
}
