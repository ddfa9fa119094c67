/* Forward pass through one layer of a neural network: what 16 inputs add to each of 16 hidden units. A work-group of 16 x 16 takes
 * 16 inputs, a row of work-items each, a column for each hidden unit: it multiplies inputs by weights and adds each column as a
 * tree. Row 0 and column 0 of weights are the bias's; the work-group leaves its products and their sums in place of its weights.
 * partial has the sums, 16 for each work-group. */
#define SIDE 16

__kernel void backprop_forward(__global const float *inputs, __global float *weights, __global float *partial, uint hidden)
{
    __local float input[SIDE];
    __local float product[SIDE][SIDE];
    const uint unit = get_local_id(0), row = get_local_id(1), group = get_group_id(1);
    const uint cell = (group * SIDE + row + 1) * (hidden + 1) + unit + 1;

    if (unit == 0)
        input[row] = inputs[group * SIDE + row + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[row][unit] = weights[cell];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[row][unit] *= input[row];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma nounroll
    for (uint reach = 1; reach < SIDE; reach *= 2) {
        if (row % (2 * reach) == 0)
            product[row][unit] += product[row + reach][unit];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[cell] = product[row][unit];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (unit == 0)
        partial[group * hidden + row] = product[0][row];
}
