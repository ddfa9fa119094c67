/* A step of registering two pictures by Lucas and Kanade's method, turned round (Baker and Matthews): where the moving one, taken
 * through the transform found so far, differs from the fixed one, and how the fixed one changes with a shift and a rotation. The
 * step follows from the products' sums over all pixels; a work-group of 128 takes a strip of columns, adds in a tree and leaves its
 * sums. transform is x' = x + (s0 x + s1 y + s2), y' = y + (s4 x + s5 y + s6); between pixels the moving picture is bilinear,
 * beyond its border are the pixels nearest to it. */
#define ITEMS 128
#define SUMS  10 /* the upper half of 3 x 3 products, 3 products with the difference, its square */

float between(__global const float *picture, float x, float y, int width, int height)
{
    const float across = clamp(x, 0.0f, width - 1.0f), down = clamp(y, 0.0f, height - 1.0f);
    const int left = min((int)across, width - 2), top = min((int)down, height - 2);
    __global const float *const at = picture + top * width + left;
    const float part = across - left, above = mix(at[0], at[1], part), below = mix(at[width], at[width + 1], part);
    return mix(above, below, down - top);
}

__kernel void image_register(__global const float *fixed, __global const float *moving, __global float *sums, float8 transform,
                             int width, int height, int rows)
{
    __local float tree[ITEMS * SUMS];
    const int item = get_local_id(0), x = get_global_id(0), begin = get_group_id(1) * rows;
    float sum[SUMS] = {0};
#pragma nounroll
    for (int y = max(begin, 1); y < min(begin + rows, height - 1); y++) {
        if (x < 1 || x >= width - 1)
            continue;
        __global const float *const at = fixed + y * width + x;
        const float across = x + transform.s0 * x + transform.s1 * y + transform.s2;
        const float down = y + transform.s4 * x + transform.s5 * y + transform.s6;
        const float difference = between(moving, across, down, width, height) - at[0];
        const float slope_x = 0.5f * (at[1] - at[-1]), slope_y = 0.5f * (at[width] - at[-width]);
        const float turn = (slope_y * (x - 0.5f * width) - slope_x * (y - 0.5f * height)) / width;
        const float term[4] = {slope_x, slope_y, turn, difference};
        int n = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = i; j < 4; j++)
                sum[n++] += term[i] * term[j];
    }
#pragma unroll
    for (int n = 0; n < SUMS; n++)
        tree[n * ITEMS + item] = sum[n];
    for (int half_of = ITEMS / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of)
#pragma unroll
            for (int n = 0; n < SUMS; n++)
                tree[n * ITEMS + item] += tree[n * ITEMS + item + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < SUMS)
        sums[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * SUMS + item] = tree[item * ITEMS];
}
