/* The second layer of a network that recognises digits: convolves the 6 maps of 13 x 13 neurons of an image with windows of 5 x 5,
 * every second neuron. A work-group is a map of 5 x 5 neurons (x) of an image (y), a work-item a neuron. A map's weights are its
 * bias and the 25 of its window in each map of the layer before. */
#define MAPS    6
#define NEURONS (13 * 13) /* of a map */
#define SIDE    5
#define WEIGHTS (1 + MAPS * 25)

/* Where the neurons of a window lie, from its corner. */
__constant uint window[25] = {0, 1, 2, 3, 4, 13, 14, 15, 16, 17, 26, 27, 28, 29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

/* 1.7159 tanh(2/3 x) */
static float squash(float x)
{
    return 1.7159f - 3.4318f * native_recip(1.0f + native_exp(1.3333333f * x));
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void nn_layer2(__global const float *in,
                                                                             __global const float *weights, __global float *out)
{
    const uint map = get_group_id(0), image = get_group_id(1), column = get_local_id(0), row = get_local_id(1);
    in += image * MAPS * NEURONS + 2 * row * 13 + 2 * column;
    weights += map * WEIGHTS;
    float sum = weights[0];
#pragma nounroll
    for (uint n = 0; n < 25; n++)
#pragma unroll
        for (uint from = 0; from < MAPS; from++)
            sum += in[from * NEURONS + window[n]] * weights[1 + from * 25 + n];
    out[((image * get_num_groups(0) + map) * SIDE + row) * SIDE + column] = squash(sum);
}
