/* Bitonic sort of keys with their values in local memory, two pairs a work-item: each work-group of 512 sorts its own 1024 pairs in
 * runs of length, a power of two. */
#define ITEMS 512
#define PAIRS (2 * ITEMS)

static void order(__local uint *keys, __local uint *values, uint first, uint second, bool rising)
{
    const uint a = keys[first], b = keys[second];
    if ((a > b) == rising) {
        const uint value = values[first];
        keys[first] = b;
        keys[second] = a;
        values[first] = values[second];
        values[second] = value;
    }
}

__kernel void bitonic_pairs(__global uint *keys, __global uint *values, uint length)
{
    __local uint key[PAIRS], value[PAIRS];
    const uint item = get_local_id(0);
    keys += get_group_id(0) * PAIRS + item;
    values += get_group_id(0) * PAIRS + item;
    key[item] = keys[0];
    value[item] = values[0];
    key[item + ITEMS] = keys[ITEMS];
    value[item + ITEMS] = values[ITEMS];

#pragma nounroll
    for (uint size = 2; size <= length; size *= 2) {
        const bool rising = size == length || (item & size / 2) == 0; /* the last step makes rising runs */
#pragma nounroll
        for (uint distance = size / 2; distance > 0; distance /= 2) {
            const uint first = 2 * item - (item & (distance - 1));
            barrier(CLK_LOCAL_MEM_FENCE);
            order(key, value, first, first + distance, rising);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[0] = key[item];
    values[0] = value[item];
    keys[ITEMS] = key[item + ITEMS];
    values[ITEMS] = value[item + ITEMS];
}
