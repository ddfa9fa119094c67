/* The streams of up to 32 threads of an image (shared/image.h), consumed in execution order. */
#pragma once

#include <stdbool.h>

#include "warpsweep/trace.h"

struct ws_streams {
    const u32 *decisions, *accesses;          /* of lane 0 */
    u32 decision[WS_LANES], access[WS_LANES]; /* consumed by each lane */
    bool whole;                               /* lane 0 is the first of its group: rows have words for 32 lanes */
};

/* Streams of a block's threads from a given one to the end of its group of 32; the given thread is lane 0. */
struct ws_streams ws_streams_of(const struct ws_image *image, u32 block, u32 thread);

/* Consumes the stream items of an instruction for lanes of a mask. Returns the lanes with decision 1 (all if the instruction has no
 * decision); access receives the lanes' accesses, if any; those of other lanes have any value. */
u32 ws_streams_take(struct ws_streams *streams, const struct ws_instruction *instruction, u32 mask, u32 access[WS_LANES]);

/* The next decision bit of each lane of a mask. */
u32 ws_streams_decide(struct ws_streams *streams, u32 mask);

/* The next access of a lane. */
static inline u32 ws_streams_access(struct ws_streams *streams, u32 lane)
{
    return streams->accesses[(size_t)streams->access[lane]++ * WS_LANES + lane];
}
