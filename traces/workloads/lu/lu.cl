/* Blocked LU factorisation in place, without pivoting: L has ones on its diagonal. A work-group has a matrix of blocks x blocks
 * blocks, each side x side elements, column by column in memory, as are the elements of a block. A square of across x across
 * work-items owns the blocks in turns; every item goes through all blocks of a step and works on its own. stack has a frame for
 * each item: side and blocks, arguments, are kept there, as code for few registers does. */
enum { SIDE, BLOCKS, FRAME = 16 };

/* Subtracts a column times a factor from another. */
static void reduce(__global float *column, __global const float *by, float factor, uint first, volatile __global const uint *side)
{
#pragma nounroll
    for (uint n = first; n < *side; n++)
        column[n] -= by[n] * factor;
}

/* A block on the diagonal becomes its factors. */
static void factor(__global float *block, volatile __global const uint *frame)
{
    const uint side = frame[SIDE];
#pragma nounroll
    for (uint k = 0; k < side; k++) {
#pragma nounroll
        for (uint n = k + 1; n < side; n++)
            block[k * side + n] /= block[k * side + k];
#pragma nounroll
        for (uint column = k + 1; column < side; column++)
            reduce(block + column * side, block + k * side, block[column * side + k], k + 1, frame + SIDE);
    }
}

/* A block below the diagonal becomes part of L: divided by the diagonal's U. */
static void divide(__global float *block, __global const float *diagonal, volatile __global const uint *frame)
{
    const uint side = frame[SIDE];
#pragma nounroll
    for (uint k = 0; k < side; k++) {
#pragma nounroll
        for (uint n = 0; n < side; n++)
            block[k * side + n] /= diagonal[k * side + k];
#pragma nounroll
        for (uint column = k + 1; column < side; column++)
            reduce(block + column * side, block + k * side, diagonal[column * side + k], 0, frame + SIDE);
    }
}

/* A block right of the diagonal becomes part of U: the diagonal's L is eliminated. */
static void eliminate(__global float *block, __global const float *diagonal, volatile __global const uint *frame)
{
    const uint side = frame[SIDE];
#pragma nounroll
    for (uint column = 0; column < side; column++)
#pragma nounroll
        for (uint k = 0; k < side; k++)
            reduce(block + column * side, diagonal + k * side, block[column * side + k], k + 1, frame + SIDE);
}

/* Subtracts the product of a block of L and one of U. */
static void subtract(__global float *block, __global const float *left, __global const float *above,
                     volatile __global const uint *frame)
{
    const uint side = frame[SIDE];
#pragma nounroll
    for (uint column = 0; column < side; column++)
#pragma nounroll
        for (uint k = 0; k < side; k++)
            reduce(block + column * side, left + k * side, above[column * side + k], 0, frame + SIDE);
}

__kernel void lu(__global float *matrices, uint blocks, uint side, uint across, volatile __global uint *stack)
{
    volatile __global uint *const frame = stack + FRAME * get_global_id(0);
    const uint item = get_local_id(0), size = side * side;
    __global float *const matrix = matrices + get_group_id(0) * blocks * blocks * size;
#define BLOCK(row, column) (matrix + ((column)*blocks + (row)) * size)
#define OWNER(row, column) ((column) % across * across + (row) % across)
    frame[SIDE] = side;
    frame[BLOCKS] = blocks;

#pragma nounroll
    for (uint k = 0; k < frame[BLOCKS]; k++) {
        __global float *const diagonal = BLOCK(k, k);
        if (OWNER(k, k) == item)
            factor(diagonal, frame);
        barrier(CLK_GLOBAL_MEM_FENCE);
#pragma nounroll
        for (uint row = k + 1; row < frame[BLOCKS]; row++)
            if (OWNER(row, k) == item)
                divide(BLOCK(row, k), diagonal, frame);
#pragma nounroll
        for (uint column = k + 1; column < frame[BLOCKS]; column++)
            if (OWNER(k, column) == item)
                eliminate(BLOCK(k, column), diagonal, frame);
        barrier(CLK_GLOBAL_MEM_FENCE);
#pragma nounroll
        for (uint column = k + 1; column < frame[BLOCKS]; column++)
#pragma nounroll
            for (uint row = k + 1; row < frame[BLOCKS]; row++)
                if (OWNER(row, column) == item)
                    subtract(BLOCK(row, column), BLOCK(row, k), BLOCK(k, column), frame);
    }
}
