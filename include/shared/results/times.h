/* Times of thread blocks and warps, recorded on request: shared by host and kernels. */
#ifndef WS_SHARED_TIMES_H
#define WS_SHARED_TIMES_H

#include "shared/dialect.h"

/* A thread block's cycles on the SM. */
struct ws_block_time {
    u64 entered, ended;
};

/* A warp's cycles and activity: packets issued, lines of its loads that missed (docs/model/order.md). */
struct ws_warp_time {
    u64 entered, ended;
    u32 packets, l1_misses, constant_misses, texture_misses;
};

#endif
