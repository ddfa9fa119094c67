/* The streams of up to 32 threads of an image (shared/image.h), as the threads come to what is in them. */
#pragma once

#include "warpsweep/trace.h"

struct ws_streams {
    const u32 *decisions, *accesses;          /* of lane 0 */
    u32 decision[WS_LANES], access[WS_LANES]; /* how many each lane has taken */
};

/* Those of threads of a block from one on, at most to the end of its group of 32; that one is lane 0. */
struct ws_streams ws_streams_of(const struct ws_image *image, u32 block, u32 thread);

/* What lanes of a mask take from their streams for an instruction. Returns those that decide for it, all where nobody decides;
 * access receives what each of these accesses, if any does. */
u32 ws_streams_take(struct ws_streams *streams, const struct ws_instruction *instruction, u32 mask, u32 access[WS_LANES]);

/* The next decision bit of each lane of a mask. */
u32 ws_streams_decide(struct ws_streams *streams, u32 mask);

/* The next access of a lane. */
static inline u32 ws_streams_access(struct ws_streams *streams, u32 lane)
{
    return streams->accesses[(size_t)streams->access[lane]++ * WS_LANES + lane];
}
