/* A synthetic trace: a loop with a divergent branch, guarded stores, every memory space, a barrier. For the self-test, benchmarks
 * and tests without a front end. */
#pragma once

#include "warpsweep/trace.h"

struct ws_synthetic {
    u64 seed;
    u32 blocks, block_threads; /* at least 1 each */
    u32 loops;                 /* a thread executes the loop 1 to loops times */
    u32 scattered;             /* percentage of loads with random addresses instead of adjacent ones */
};

/* Equal descriptions give equal images. NULL without memory; freed by ws_synthetic_free. */
struct ws_image *ws_synthetic_new(const struct ws_synthetic *description);
void ws_synthetic_free(struct ws_image *image);
