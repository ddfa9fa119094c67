/* A made-up trace: a loop with a branch that parts, guarded stores, every memory space, a barrier. For the self-test, for
 * benchmarks and for tests that need no front end. */
#pragma once

#include "warpsweep/trace.h"

struct ws_synthetic {
    u64 seed;
    u32 blocks, block_threads; /* at least 1 each */
    u32 loops;                 /* a thread goes round 1 to loops times */
    u32 scattered;             /* per cent of the loads that go anywhere instead of next to their neighbours' */
};

/* The same description gives the same image. NULL when out of memory; freed by ws_synthetic_free. */
struct ws_image *ws_synthetic_new(const struct ws_synthetic *description);
void ws_synthetic_free(struct ws_image *image);
