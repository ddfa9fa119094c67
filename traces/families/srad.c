#include "families/srad.h"

#include <math.h>

#include "base/random.h"

void ws_srad_draw(float *image, u32 count, u64 *seed)
{
    for (u32 n = 0; n < count; n++)
        image[n] = expf((float)ws_random_range(seed, 0, 255) / 255.0f);
}

void ws_srad_neighbours(i32 *before, i32 *after, i32 count)
{
    for (i32 n = 0; n < count; n++) {
        if (before)
            before[n] = n > 0 ? n - 1 : n;
        after[n] = n + 1 < count ? n + 1 : n;
    }
}
