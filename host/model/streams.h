/* The streams of up to 32 threads of an image (shared/image.h), as the threads come to what is in them. */
#ifndef WS_BASE_STREAMS_H
#define WS_BASE_STREAMS_H

#include "shared/image.h"

struct ws_streams {
    const u32 *decisions, *accesses;          /* of lane 0 */
    u32 decision[WS_LANES], access[WS_LANES]; /* how many each lane has taken */
};

/* The next decision bit of each lane of a mask. */
u32 ws_streams_decide(struct ws_streams *streams, u32 mask);

/* The next access of a lane. */
static inline u32 ws_streams_access(struct ws_streams *streams, u32 lane)
{
    return streams->accesses[(size_t)streams->access[lane]++ * WS_LANES + lane];
}

#endif
