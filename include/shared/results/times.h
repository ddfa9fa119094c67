/* What is recorded of thread blocks and warps when a job asks for times: shared by host and kernels. */
#ifndef WS_SHARED_TIMES_H
#define WS_SHARED_TIMES_H

#include "shared/dialect.h"

/* A thread block's cycles on the SM. */
struct ws_block_time {
    u64 entered, ended;
};

/* A warp's, and what it did: packets that it issued, lines of its loads that were not found (docs/model/order.md). */
struct ws_warp_time {
    u64 entered, ended;
    u32 packets, l1_misses, constant_misses, texture_misses;
};

#endif
