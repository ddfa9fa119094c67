#include "families/radix.h"

#include "base/random.h"

void ws_radix_draw(u32 *keys, u32 count, u64 *seed)
{
    for (u32 n = 0; n < count; n++)
        keys[n] = (u32)ws_random(seed);
}

void ws_radix_sort(const u32 *keys, u32 count, u32 bits, u32 *sorted, u32 *first)
{
    u32 end = 0;
    for (u32 digit = 0; digit < 1u << bits; digit++) {
        first[digit] = end;
        for (u32 n = 0; n < count; n++)
            if ((keys[n] >> WS_RADIX_SHIFT & ((1u << bits) - 1)) == digit)
                sorted[end++] = keys[n];
    }
}
