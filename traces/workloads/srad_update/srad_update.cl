/* Speckle reducing diffusion, second half of a step: every pixel takes from its neighbours by the coefficients on the way, its own
 * to the north and west, theirs to the south and east. Pixels lie column by column, a work-item each; south and east have the row
 * and column beside each, the border's own at the border. */
__kernel void srad_update(__global float *image, __global const float4 *differences, __global const float *coefficients,
                          __global const int *south, __global const int *east, float rate, int rows, int count)
{
    const int pixel = get_global_id(0);
    if (pixel >= count)
        return;
    const int row = pixel % rows, column = pixel / rows;
    const float own = coefficients[pixel];
    const float4 way = (float4)(own, coefficients[south[row] + rows * column], own, coefficients[row + rows * east[column]]);
    image[pixel] += 0.25f * rate * dot(way, differences[pixel]);
}
