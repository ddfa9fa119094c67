/* The range of the values that a histogram is to hold: each work-group of 512 takes the first eighth of its part of the data, finds
 * their mean and their standard deviation, and widens the range to ten deviations about the mean. range has the least and the most;
 * moments mean and deviation of each work-group. */
#define ITEMS      512
#define DEVIATIONS 10.0f

/* The sum over the work-items. */
static float add_all(__local float *sums, uint item, float value)
{
    sums[item] = value;
#pragma nounroll
    for (uint left = ITEMS / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left)
            sums[item] += sums[item + left];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums[0];
}

__kernel void histogram_prescan(__global const uint *data, __global uint *range, __global float2 *moments, uint count)
{
    __local float sums[ITEMS], squares[ITEMS];
    const uint item = get_local_id(0), group = get_group_id(0);
    const uint part = count / get_num_groups(0), first = group * part, end = first + part / 8;
    float sum = 0.0f;
#pragma nounroll
    for (uint n = first + item; n < end; n += ITEMS)
        sum += (float)data[n];
    const float mean = native_divide(add_all(sums, item, sum), (float)(part / 8));

    float square = 0.0f;
#pragma nounroll
    for (uint n = first + item; n < end; n += ITEMS) {
        const float off = (float)data[n] - mean;
        square += off * off;
    }
    const float deviation = native_sqrt(native_divide(add_all(squares, item, square), (float)(part / 8)));
    if (item == 0) {
        moments[group] = (float2)(mean, deviation);
        atomic_min(&range[0], (uint)max(mean - DEVIATIONS * deviation, 0.0f));
        atomic_max(&range[1], (uint)(mean + DEVIATIONS * deviation));
    }
}
