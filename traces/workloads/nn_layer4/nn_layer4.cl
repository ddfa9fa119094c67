/* The last layer of a network that recognises digits: a neuron for each digit sees all 100 neurons of an image. A work-group is one
 * work-item: a neuron (x) of an image (y). Its weights are its bias and one for each neuron that it sees. */
#define NEURONS 100
#define WEIGHTS (1 + NEURONS)

/* 1.7159 tanh(2/3 x) */
static float squash(float x)
{
    return 1.7159f - 3.4318f * native_recip(1.0f + native_exp(1.3333333f * x));
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void nn_layer4(__global const float *in, __global const float *weights,
                                                                       __global float *out)
{
    const uint neuron = get_group_id(0), image = get_group_id(1);
    in += image * NEURONS;
    weights += neuron * WEIGHTS;
    float sum = weights[0];
#pragma nounroll
    for (uint n = 0; n < NEURONS; n++)
        sum += in[n] * weights[1 + n];
    out[image * get_num_groups(0) + neuron] = squash(sum);
}
