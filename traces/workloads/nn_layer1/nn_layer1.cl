/* The first layer of a network that recognises digits: convolves images of 29 x 29 pixels with windows of 5 x 5, every second
 * pixel. A work-group is a map of 13 x 13 neurons (x) of an image (y), a work-item a neuron. A map's weights are its bias and the
 * 25 of its window. */
#define PIXELS  (29 * 29)
#define SIDE    13
#define WEIGHTS 26

/* Where the pixels of a window lie, from its corner. */
__constant uint window[25] = {0, 1, 2, 3, 4, 29, 30, 31, 32, 33, 58, 59, 60, 61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};

/* 1.7159 tanh(2/3 x) */
static float squash(float x)
{
    return 1.7159f - 3.4318f * native_recip(1.0f + native_exp(1.3333333f * x));
}

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void nn_layer1(__global const float *in,
                                                                             __global const float *weights, __global float *out)
{
    const uint map = get_group_id(0), image = get_group_id(1), column = get_local_id(0), row = get_local_id(1);
    in += image * PIXELS + 2 * row * 29 + 2 * column;
    weights += map * WEIGHTS;
    float sum = weights[0];
#pragma nounroll
    for (uint n = 0; n < 25; n++)
        sum += in[window[n]] * weights[1 + n];
    out[((image * get_num_groups(0) + map) * SIDE + row) * SIDE + column] = squash(sum);
}
