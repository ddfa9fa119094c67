/* Points of Sobol's quasirandom sequence in three dimensions, the samples of a Monte Carlo method: a work-group of 128 x 3, a row
 * of work-items a dimension. Point n is the sum without carry of the directions of the bits of its number; directions has 31 a
 * dimension. points has first all of the first dimension. */
#define BITS 31

__kernel void quasirandom(__constant uint *directions, __global float *points, uint first, uint count)
{
    const uint dimension = get_global_id(1);
    directions += dimension * BITS;
#pragma nounroll
    for (uint n = get_global_id(0); n < count; n += get_global_size(0)) {
        uint number = first + n, sum = 0;
#pragma nounroll
        for (uint bit = 0; bit < BITS; bit++, number >>= 1)
            if (number & 1)
                sum ^= directions[bit];
        points[dimension * count + n] = (float)(sum + 1) * (1.0f / 2147483648.0f);
    }
}
