/* Corners of a picture by Harris' measure, in whole numbers: a work-group of 16 x 16 a tile. Pixels, gradients and the measure of
 * the tile and what surrounds it are in local memory; a pixel whose measure is the greatest of its 3 x 3 keeps it, others get 0.
 * Beyond the border are the pixels nearest to it. */
#define TILE      16
#define MEASURES  (TILE + 2)      /* one more on each side */
#define GRADIENTS (MEASURES + 4)  /* a window of 5 x 5 */
#define PIXELS    (GRADIENTS + 2) /* Sobel's operator of 3 x 3 */

/* det - trace^2 / 16 of the gradients' products around a place; large where the picture changes in two directions. */
int measure(__local const short2 *gradients, int place)
{
    int xx = 0, xy = 0, yy = 0;
#pragma nounroll
    for (int row = 0; row < 5; row++) {
#pragma unroll
        for (int column = 0; column < 5; column++) {
            const int2 gradient = convert_int2(gradients[place + row * GRADIENTS + column]);
            xx += gradient.x * gradient.x;
            xy += gradient.x * gradient.y;
            yy += gradient.y * gradient.y;
        }
    }
    xx >>= 10;
    xy >>= 10;
    yy >>= 10;
    const int quarter = (xx + yy) >> 2;
    return xx * yy - xy * xy - quarter * quarter;
}

__kernel void feature_detect(__global const uchar *picture, __global int *corners, int width, int height, int threshold)
{
    __local short pixels[PIXELS * PIXELS];
    __local short2 gradients[GRADIENTS * GRADIENTS];
    __local int measures[MEASURES * MEASURES];
    const int item = get_local_id(1) * TILE + get_local_id(0), left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int n = item; n < PIXELS * PIXELS; n += TILE * TILE) {
        const int x = clamp(left + n % PIXELS - 4, 0, width - 1), y = clamp(top + n / PIXELS - 4, 0, height - 1);
        pixels[n] = picture[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = item; n < GRADIENTS * GRADIENTS; n += TILE * TILE) {
        __local const short *const at = pixels + n / GRADIENTS * PIXELS + n % GRADIENTS, *const below = at + 2 * PIXELS;
        const int falling = below[2] - at[0], rising = at[2] - below[0];
        gradients[n] = (short2)(falling + rising + 2 * (at[PIXELS + 2] - at[PIXELS]), falling - rising + 2 * (below[1] - at[1]));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = item; n < MEASURES * MEASURES; n += TILE * TILE)
        measures[n] = measure(gradients, n / MEASURES * GRADIENTS + n % MEASURES);
    barrier(CLK_LOCAL_MEM_FENCE);

    __local const int *const above = measures + get_local_id(1) * MEASURES + get_local_id(0);
    __local const int *const beside = above + MEASURES, *const below = beside + MEASURES;
    const int own = beside[1];
    const int most =
        max(max(max(above[0], above[1]), max(above[2], beside[0])), max(max(beside[2], below[0]), max(below[1], below[2])));
    corners[(top + get_local_id(1)) * width + left + get_local_id(0)] = own > threshold && own >= most ? own : 0;
}
