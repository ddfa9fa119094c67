/* Weights of one layer of a neural network, adjusted with momentum: a work-item a weight, a row of work-items an input, a column a
 * hidden unit, in work-groups of 16 x 16. Row 0 of weights and changes is the bias's and is left to the first work-group; column 0
 * stays as it is. */
#define SIDE     16
#define RATE     0.3f
#define MOMENTUM 0.3f

__kernel void backprop_adjust(__global const float *delta, __global const float *inputs, __global float *weights,
                              __global float *changes, uint hidden)
{
    const uint unit = get_local_id(0) + 1, row = get_local_id(1), group = get_group_id(1);
    const uint input = group * SIDE + row + 1;
    const uint cell = input * (hidden + 1) + unit;

    weights[cell] += RATE * delta[unit] * inputs[input] + MOMENTUM * changes[cell];
    changes[cell] = RATE * delta[unit] * inputs[input] + MOMENTUM * changes[cell];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (row == 0 && group == 0) {
        weights[unit] += RATE * delta[unit] + MOMENTUM * changes[unit];
        changes[unit] = RATE * delta[unit] + MOMENTUM * changes[unit];
    }
}
