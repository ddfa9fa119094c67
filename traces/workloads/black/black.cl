/* European call and put options by the Black-Scholes formula: every work-item prices some options, as many apart as there are
 * items, rounds times, as the sample prices its options again and again. stack has a frame for each work-item: what lives across
 * calls is kept there. The functions are as libraries compute them on machines without instructions for them: cases apart,
 * polynomials, relative errors below 3e-7. */
#define LOG2_E 1.44269504f
#define LN2_HI 0.693145752f /* a multiple of 2^-16: its products are exact */
#define LN2_LO 1.42860677e-6f

/* e^x; 0 and infinity beyond the range of normal numbers. */
static float exponential(float x)
{
    if (fabs(x) > 87.0f) {
        return x > 0.0f ? INFINITY : 0.0f;
    }
    if (fabs(x) < 0x1p-12f) {
        return 1.0f + x;
    }
    int exponent = 0;
    if (fabs(x) > 0.35f) {
        exponent = (int)(x * LOG2_E + (x < 0.0f ? -0.5f : 0.5f));
        x = x - (float)exponent * LN2_HI - (float)exponent * LN2_LO;
    }
    const float series =
        1.0f + x * (1.0f + x * (0.5f + x * (0.166666667f + x * (0.0416666667f + x * (8.33333333e-3f + x * 1.38888889e-3f)))));
    return as_float(as_int(series) + (exponent << 23));
}

/* The natural logarithm of a positive normal number. */
static float logarithm(float x)
{
    const int exponent = (as_int(x) - as_int(0.70710678f)) >> 23;
    const float fraction = as_float(as_int(x) - (exponent << 23)) - 1.0f;
    if (fabs(fraction) < 0x1p-11f) {
        return fraction - 0.5f * fraction * fraction + (float)exponent * (LN2_HI + LN2_LO);
    }
    const float s = fraction / (2.0f + fraction), z = s * s;
    const float series =
        2.0f * s * (1.0f + z * (0.333333333f + z * (0.2f + z * (0.142857143f + z * (0.111111111f + z * 0.0909090909f)))));
    return (float)exponent * LN2_HI + (series + (float)exponent * LN2_LO);
}

/* The distribution function of the standard normal distribution: Abramowitz and Stegun 26.2.17, absolute error below 7.5e-8.
 * The fence orders nothing: it keeps the branch, which compilers would make a selection. */
static float normal_cdf(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    const float polynomial = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float cdf = 0.3989422804f * exponential(-0.5f * d * d) * polynomial;
    if (d > 0.0f) {
        mem_fence(CLK_LOCAL_MEM_FENCE);
        cdf = 1.0f - cdf;
    }
    return cdf;
}

enum { D1, N1, FRAME = 16 };

/* price and strike in any currency, years to expiry, rate and volatility a year; years and volatility are positive. */
__kernel void black(__global const float *price, __global const float *strike, __global const float *years, __global float *call,
                    __global float *put, float rate, float volatility, uint options, uint rounds, volatile __global float *stack)
{
    volatile __global float *const frame = stack + FRAME * get_global_id(0);
#pragma nounroll
    for (uint round = 0; round < rounds; round++)
        for (uint option = get_global_id(0); option < options; option += get_global_size(0)) {
            const float s = price[option], x = strike[option], t = years[option];
            const float deviation = volatility * native_sqrt(t);
            frame[D1] = (logarithm(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
            frame[N1] = normal_cdf(frame[D1]);
            const float n2 = normal_cdf(frame[D1] - deviation);
            const float discounted = x * exponential(-rate * t);
            const float n1 = frame[N1];
            call[option] = s * n1 - discounted * n2;
            put[option] = discounted * (1.0f - n2) - s * (1.0f - n1);
        }
}
