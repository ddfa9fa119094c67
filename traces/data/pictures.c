#include "data/pictures.h"

#include "base/random.h"

/* A grey between 0 and 255 at each corner of the cells of one size. */
static u32 corner(u64 seed, u32 size, u32 x, u32 y)
{
    u64 state = seed ^ ((u64)size << 56 | (u64)y << 28 | x);
    ws_random(&state);
    return ws_random_range(&state, 0, 255);
}

/* Between the corners of the cell around a pixel, by its place in the cell; there are count cells before they repeat. */
static u32 blend(u64 seed, u32 size, u32 x, u32 y, u32 count)
{
    const u32 column = x / size % count, row = y / size % count, right = x % size, down = y % size;
    const u32 next = (column + 1) % count, under = (row + 1) % count;
    const u32 above = corner(seed, size, column, row) * (size - right) + corner(seed, size, next, row) * right;
    const u32 below = corner(seed, size, column, under) * (size - right) + corner(seed, size, next, under) * right;
    return (above * (size - down) + below * down) / (size * size);
}

void ws_picture_draw(u8 *pixels, u32 width, u32 height, u32 left, u32 top, u32 period, u64 seed)
{
    for (u32 y = 0; y < height; y++)
        for (u32 x = 0; x < width; x++) {
            u32 sum = 0, weights = 0;
            for (u32 size = 4; size <= 32; size *= 2) {
                sum += size * blend(seed, size, left + x, top + y, period / size);
                weights += size;
            }
            pixels[y * width + x] = (u8)(sum / weights);
        }
}
