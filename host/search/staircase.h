/* The points (y, z) that no other dominates, both minimized: by rising y and falling z. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "shared/dialect.h"

struct ws_stair {
    double y, z;
};

/* Begun as {0}. */
struct ws_staircase {
    struct ws_stair *stair;
    size_t room;
    u32 count;
};

/* The first stair with a larger y, or count. */
static inline u32 ws_stairs_above(const struct ws_staircase *stairs, double y)
{
    u32 low = 0, high = stairs->count;
    while (low < high) {
        const u32 middle = (low + high) / 2;
        if (stairs->stair[middle].y <= y)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether a stair is at most y and at most z. */
static inline bool ws_stairs_cover(const struct ws_staircase *stairs, double y, double z)
{
    const u32 above = ws_stairs_above(stairs, y);
    return above && stairs->stair[above - 1].z <= z;
}

/* Adds a point that is not covered, and removes those that it covers. *gain: the area that is covered now and was not, within
 * (end_y, end_z). False when out of memory. */
static inline bool ws_stairs_add(struct ws_staircase *stairs, struct ws_arena *arena, struct ws_stair point, struct ws_stair end,
                                 double *gain)
{
    struct ws_stair *const stair = ws_arena_grow(arena, stairs->stair, stairs->count, &stairs->room, sizeof *stair);
    if (!stair)
        return false;
    stairs->stair = stair;
    u32 first = ws_stairs_above(stairs, point.y);
    first -= first && stair[first - 1].y >= point.y;
    const double top = first ? stair[first - 1].z : end.z;
    u32 next = first;
    double y = point.y, z = top;
    *gain = 0;
    for (; next < stairs->count && stair[next].z >= point.z; next++) {
        *gain += (stair[next].y - y) * (z - point.z);
        y = stair[next].y;
        z = stair[next].z;
    }
    *gain += ((next < stairs->count ? stair[next].y : end.y) - y) * (z - point.z);
    memmove(stair + first + 1, stair + next, (stairs->count - next) * sizeof *stair);
    stair[first] = point;
    stairs->count += 1 + first - next;
    return true;
}
