/* A pass of merge sort: each work-item merges two neighbouring sorted runs of keys into one, key by key. Equal keys keep their
 * order. */
__kernel void merge_runs(__global const uint *keys, __global uint *merged, uint run, uint pairs)
{
    const uint pair = get_global_id(0);
    if (pair >= pairs)
        return;
    uint left = 2 * run * pair, right = left + run, to = left;
    const uint left_end = right, right_end = right + run;
    uint a = keys[left], b = keys[right];
#pragma nounroll
    while (left < left_end && right < right_end) {
        if (a <= b) {
            merged[to++] = a;
            if (++left < left_end)
                a = keys[left];
        } else {
            merged[to++] = b;
            if (++right < right_end)
                b = keys[right];
        }
    }
#pragma nounroll
    for (; left < left_end; left++)
        merged[to++] = keys[left];
#pragma nounroll
    for (; right < right_end; right++)
        merged[to++] = keys[right];
}
