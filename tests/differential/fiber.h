/* 32 lanes as fibers of one thread: a barrier is a yield, and the lanes go on in an order that a seed decides. What depends on that
 * order is a race. */
#ifndef WS_TESTS_FIBER_H
#define WS_TESTS_FIBER_H

#include <stdbool.h>

#include "shared/dialect.h"

/* Decides the order of lanes from now on, and forgets that lanes have parted. */
void fibers_seed(u64 seed);

/* Runs work in 32 fibers until all have returned. */
void fibers_run(void (*work)(void *context), void *context);

/* Whether in some run lanes returned while others waited at a barrier. */
bool fibers_parted(void);

/* For the work: the number of the lane that runs; waiting for all lanes. */
u32 fiber_lane(void);
void fiber_barrier(void);

#endif
