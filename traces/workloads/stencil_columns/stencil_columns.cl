/* A step of the heat equation in three dimensions: a work-item takes a column of points from front to back and keeps the points
 * before and behind it in registers. Points at the border stay; work-items there, and beyond it, have nothing to do. */
__kernel void stencil_columns(__global const float *before, __global float *after, float own, float side, int width, int height,
                              int depth)
{
    const int x = get_global_id(0), y = get_global_id(1), plane = width * height;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        before += y * width + x;
        after += y * width + x;
        float front = before[0], middle = before[plane];
#pragma nounroll
        for (int z = 1; z < depth - 1; z++) {
            before += plane;
            after += plane;
            const float back = before[plane];
            after[0] = side * (back + front + before[width] + before[-width] + before[1] + before[-1]) - own * middle;
            front = middle;
            middle = back;
        }
    }
}
