/* nn_image with a work-group of 32 for each image: its work-items take eight times as many neurons each. Its layers, neurons and
 * weights are as there. */
#define ITEMS  32
#define PIXELS 29
#define SIDE_1 13
#define SIDE_2 5
#define WINDOW 5

/* 1.7159 tanh(2/3 x) */
static float squash(float x)
{
    return 1.7159f - 3.4318f * native_recip(1.0f + native_exp(1.3333333f * x));
}

static void convolve(__global const float *in, uint maps_in, uint side_in, __global const float *weights, __global float *out,
                     uint maps, uint side)
{
#pragma nounroll
    for (uint n = get_local_id(0); n < maps * side * side; n += ITEMS) {
        __global const float *weight = weights + n / (side * side) * (1 + maps_in * WINDOW * WINDOW);
        __global const float *corner = in + 2 * (n / side % side) * side_in + 2 * (n % side);
        float sum = *weight++;
#pragma nounroll
        for (uint map = 0; map < maps_in; map++, corner += side_in * side_in)
            for (uint y = 0; y < WINDOW; y++)
                for (uint x = 0; x < WINDOW; x++)
                    sum += corner[y * side_in + x] * *weight++;
        out[n] = squash(sum);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static void connect(__global const float *in, uint count, __global const float *weights, __global float *out, uint neurons)
{
#pragma nounroll
    for (uint n = get_local_id(0); n < neurons; n += ITEMS) {
        __global const float *weight = weights + n;
        float sum = *weight;
#pragma nounroll
        for (uint from = 0; from < count; from++)
            sum += in[from] * *(weight += neurons);
        out[n] = squash(sum);
    }
}

__kernel void nn_image_32(__global const float *images, __global const float *weights, __global float *neurons, uint maps_1,
                          uint maps_2, uint hidden, uint digits)
{
    const uint count_1 = maps_1 * SIDE_1 * SIDE_1, count_2 = maps_2 * SIDE_2 * SIDE_2;
    images += get_group_id(0) * PIXELS * PIXELS;
    neurons += get_group_id(0) * (count_1 + count_2 + hidden + digits);
    convolve(images, 1, PIXELS, weights, neurons, maps_1, SIDE_1);
    weights += maps_1 * (1 + WINDOW * WINDOW);
    convolve(neurons, maps_1, SIDE_1, weights, neurons + count_1, maps_2, SIDE_2);
    weights += maps_2 * (1 + maps_1 * WINDOW * WINDOW);
    neurons += count_1;
    connect(neurons, count_2, weights, neurons + count_2, hidden);
    barrier(CLK_GLOBAL_MEM_FENCE);
    weights += hidden * (1 + count_2);
    neurons += count_2;
    connect(neurons, hidden, weights, neurons + hidden, digits);
}
