/* Speckle reducing diffusion, first half of a step: the differences of a pixel to its four neighbours and the coefficient of
 * diffusion, from 0 to 1. Pixels lie column by column, a work-item each; south, north, east and west have the rows and columns
 * beside each, the border's own at the border. speckle is the squared coefficient of variation of the whole image. */
__kernel void srad_gradient(__global const float *image, __global float4 *differences, __global float *coefficients,
                            __global const int *north, __global const int *south, __global const int *west,
                            __global const int *east, float speckle, int rows, int count)
{
    const int pixel = get_global_id(0);
    if (pixel >= count)
        return;
    const int row = pixel % rows, column = pixel / rows;
    const float own = image[pixel];
    const float4 difference = (float4)(image[north[row] + rows * column], image[south[row] + rows * column],
                                       image[row + rows * west[column]], image[row + rows * east[column]]) -
                              own;
    const float gradient = native_divide(dot(difference, difference), own * own);
    const float laplacian = native_divide(difference.x + difference.y + difference.z + difference.w, own);
    const float above = 0.5f * gradient - laplacian * laplacian / 16.0f, below = 1.0f + 0.25f * laplacian;
    const float local_speckle = native_divide(above, below * below);
    float coefficient = native_recip(1.0f + native_divide(local_speckle - speckle, speckle * (1.0f + speckle)));
    if (coefficient < 0.0f)
        coefficient = 0.0f;
    else if (coefficient > 1.0f)
        coefficient = 1.0f;
    differences[pixel] = difference;
    coefficients[pixel] = coefficient;
}
