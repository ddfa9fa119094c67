/* Prices of European call options by the Monte Carlo method, an option for each work-group: its work-items take normal samples, a
 * path each, and add what the option pays at the end, and the squares; then a tree of barriers. options has four numbers of each:
 * price, strike, drift and deviation of the price's logarithm at the end. */
#define ITEMS 256

__kernel void montecarlo_option(__global float2 *payoffs, __global const float *samples, __constant float4 *options, uint paths)
{
    __local float sums[ITEMS];
    __local float squares[ITEMS];
    const uint item = get_local_id(0);
    const float4 option = options[get_group_id(0)];
    float sum = 0.0f, square = 0.0f;
#pragma nounroll
    for (uint path = item; path < paths; path += ITEMS) {
        const float payoff = max(option.x * native_exp(option.z + option.w * samples[path]) - option.y, 0.0f);
        sum += payoff;
        square += payoff * payoff;
    }
    sums[item] = sum;
    squares[item] = square;
    for (uint left = ITEMS / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) {
            sums[item] += sums[item + left];
            squares[item] += squares[item + left];
        }
    }
    if (item == 0)
        payoffs[get_group_id(0)] = (float2)(sums[0], squares[0]);
}
