/* Inverse of the cumulative normal distribution by Moro's approximation (The full Monte, Risk, 1995): a quotient of polynomials in
 * the middle, a polynomial of log(-log(p)) in the tails. Samples are fractions of 2^32; the upper half is reflected, so that both
 * tails are as exact. */
#define MIDDLE 0.42f

static inline float quantile(uint sample)
{
    const bool upper = sample >= 0x80000000u;
    const float p = ((float)(upper ? ~sample : sample) + 0.5f) * 0x1p-32f;
    const float from_middle = p - 0.5f;
    float z;
    if (from_middle > -MIDDLE) {
        const float r = from_middle * from_middle;
        z = from_middle * (((-25.44106049637f * r + 41.39119773534f) * r - 18.61500062529f) * r + 2.50662823884f) /
            ((((3.13082909833f * r - 21.06224101826f) * r + 23.08336743743f) * r - 8.47351093090f) * r + 1.0f);
    } else {
        const float r = native_log(-native_log(p));
        z = 0.0000003960315187f * r + 0.0000002888167364f;
        z = z * r + 0.0000321767881768f;
        z = z * r + 0.0003951896511919f;
        z = z * r + 0.0038405729373609f;
        z = z * r + 0.0276438810333863f;
        z = z * r + 0.1607979714918209f;
        z = z * r + 0.9761690190917186f;
        z = -(z * r + 0.3374754822726147f);
    }
    return upper ? -z : z;
}

__kernel void montecarlo_icnd(__global float *normal, uint first, uint step, uint count)
{
    const uint items = get_num_groups(0) * get_local_size(0);
#pragma nounroll
    for (uint n = get_group_id(0) * get_local_size(0) + get_local_id(0); n < count; n += items)
        normal[n] = quantile(first + n * step);
}
