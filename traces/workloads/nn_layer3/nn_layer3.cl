/* The third layer of a network that recognises digits: every neuron sees all 50 maps of 5 x 5 neurons of an image. A work-group is
 * one work-item: a neuron (x) of an image (y). Its weights are its bias and one for each neuron that it sees. */
#define MAPS    50
#define NEURONS 25 /* of a map */
#define WEIGHTS (1 + MAPS * NEURONS)

/* 1.7159 tanh(2/3 x) */
static float squash(float x)
{
    return 1.7159f - 3.4318f * native_recip(1.0f + native_exp(1.3333333f * x));
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void nn_layer3(__global const float *in, __global const float *weights,
                                                                       __global float *out)
{
    const uint neuron = get_group_id(0), image = get_group_id(1);
    in += image * MAPS * NEURONS;
    weights += neuron * WEIGHTS;
    float sum = weights[0];
#pragma nounroll
    for (uint map = 0; map < MAPS; map++)
#pragma nounroll
        for (uint n = 0; n < NEURONS; n++)
            sum += in[map * NEURONS + n] * weights[1 + map * NEURONS + n];
    out[image * get_num_groups(0) + neuron] = squash(sum);
}
