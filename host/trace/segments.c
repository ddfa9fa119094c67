#include "trace/segments.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "trace/format.h"

enum { UNIT_GRANULES = WST_SEGMENT_ALIGNMENT / WS_GRANULE_BYTES };

/* Granules of a segment, including the rest of its last 64 KB. */
static u64 granules_of(const struct ws_segment *segment)
{
    return (segment->bytes / WST_SEGMENT_ALIGNMENT + (segment->bytes % WST_SEGMENT_ALIGNMENT != 0)) * UNIT_GRANULES;
}

/* Limit of granules. */
static u64 room_of(const struct ws_launch *launch)
{
    for (u32 pc = 0; pc < launch->instructions; pc++)
        if (launch->program[pc].class_ == WS_CLASS_atomic && launch->program[pc].space == WS_SPACE_global)
            return WS_ATOMIC_GRANULES;
    return WS_GLOBAL_GRANULES;
}

enum ws_status wst_segments_place(const struct ws_launch *launch, struct wst_segments *segments, struct ws_error *error)
{
    const u64 room = room_of(launch);
    u64 granule = 0;
    *segments = (struct wst_segments){.segments = calloc(launch->segments + 1u, sizeof *segments->segments)};
    if (!segments->segments)
        return ws_no_memory(error);
    for (; segments->count < launch->segments; segments->count++) {
        const struct ws_segment *const from = &launch->segment[segments->count];
        segments->segments[segments->count] =
            (struct wst_segment){.base = from->base, .bytes = from->bytes, .granule = (u32)granule};
        granule += granules_of(from);
        if (granule > room) {
            wst_segments_free(segments);
            return ws_fail(error, WS_STATUS_bad_input,
                           "segments up to address 0x%" PRIx64 " take %" PRIu64
                           " granules of %u bytes; a simulation has room for %" PRIu64,
                           from->base + from->bytes, granule, WS_GRANULE_BYTES, room);
        }
    }
    return WS_STATUS_ok;
}

void wst_segments_free(struct wst_segments *segments)
{
    free(segments->segments);
    *segments = (struct wst_segments){0};
}

u32 wst_segment_find(const struct wst_segments *segments, u64 address)
{
    u32 low = 0, high = segments->count; /* the last segment that begins at or below the address is in low - 1 .. high - 1 */
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (segments->segments[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : segments->count;
}
