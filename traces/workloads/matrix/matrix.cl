/* C = A x B, single precision, row by row in memory, an element of C a work-item, row by row. stack has a frame for each work-item:
 * it keeps depth, an argument, there, as code for few registers does. */
enum { DEPTH, FRAME = 16 };

__kernel void matrix(__global const float *a, __global const float *b, __global float *c, uint depth, uint columns,
                     volatile __global uint *stack)
{
    const uint item = get_global_id(0), row = item / columns, column = item % columns;
    volatile __global uint *const frame = stack + FRAME * item;
    frame[DEPTH] = depth;
    a += row * depth;
    b += column;
    float sum = 0.0f;
#pragma nounroll
    for (uint k = 0; k < frame[DEPTH]; k++) {
        sum += a[k] * *b;
        b += columns;
    }
    c[item] = sum;
}
