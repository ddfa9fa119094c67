/* Global addresses on the device: segments packed from granule 0, in order, each at a multiple of 64 KB. */
#pragma once

#include <stdbool.h>

#include "warpsweep/trace.h"

struct wst_segment {
    u64 base, bytes;
    u32 granule; /* of its first byte */
};

struct wst_segments {
    struct wst_segment *segments;
    u32 count;
};

/* Places a launch's segments; fails when they do not fit below the last granule of its image (shared/image.h). To be freed by
 * wst_segments_free. */
enum ws_status wst_segments_place(const struct ws_launch *launch, struct wst_segments *segments, struct ws_error *error);
void wst_segments_free(struct wst_segments *segments);

/* Number of the segment that holds an address, or count. */
u32 wst_segment_find(const struct wst_segments *segments, u64 address);

/* The granule of `bytes` bytes at an address; with its word, if images have it (atomics). *guess: segment to try first; receives
 * the one found. False when they do not lie inside one segment. */
static inline bool wst_granule(const struct wst_segments *segments, u64 address, u32 bytes, bool atomic, u32 *guess, u32 *granule)
{
    for (u32 attempt = 0; attempt < 2; attempt++) {
        if (*guess < segments->count) {
            const struct wst_segment *const segment = &segments->segments[*guess];
            const u64 offset = address - segment->base;
            if (offset < segment->bytes && segment->bytes - offset >= bytes) {
                *granule = segment->granule + (u32)(offset / WS_GRANULE_BYTES);
                *granule |= atomic ? (u32)(offset % WS_GRANULE_BYTES / 4) << WS_ATOMIC_WORD : 0;
                return true;
            }
        }
        *guess = wst_segment_find(segments, address);
    }
    return false;
}
