/* European call and put options by the Black-Scholes formula. One work-group streams through arrays of options. */

/* The distribution function of the standard normal distribution: Abramowitz and Stegun 26.2.17, absolute error below 7.5e-8. */
static float normal_cdf(float x)
{
    const float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    const float polynomial = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    const float tail = 0.3989422804f * exp(-0.5f * x * x) * polynomial;
    return x < 0.0f ? tail : 1.0f - tail;
}

/* price and strike in any currency, years to expiry, rate and volatility a year; years and volatility are positive. */
__kernel void blackscholes(__global const float *price, __global const float *strike, __global const float *years,
                           __global float *call, __global float *put, float rate, float volatility, uint options)
{
    for (size_t option = get_local_id(0); option < options; option += get_local_size(0)) {
        const float s = price[option];
        const float x = strike[option];
        const float t = years[option];

        const float deviation = volatility * sqrt(t);
        const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / deviation;
        const float n1 = normal_cdf(d1);
        const float n2 = normal_cdf(d1 - deviation);

        const float discounted = x * exp(-rate * t);
        call[option] = s * n1 - discounted * n2;
        put[option] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
