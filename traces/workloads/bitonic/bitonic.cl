/* Bitonic sort in local memory, a key a work-item: each work-group sorts its own run of keys. Its items are a power of two. Keys
 * are volatile, so that the compare and exchange of either direction stays behind a branch. */
#define ITEMS 256

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void bitonic(__global uint *keys)
{
    volatile __local uint key[ITEMS];
    const uint item = get_local_id(0);
    key[item] = keys[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

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
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    keys[get_global_id(0)] = key[item];
}
