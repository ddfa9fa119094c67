/* 32 lanes as fibers of one thread: a barrier is a yield, and a seed decides the order of lanes. A result that depends on that
 * order is a race. */
#ifndef WS_TESTS_FIBER_H
#define WS_TESTS_FIBER_H

#include <stdbool.h>

#include "shared/dialect.h"

/* Sets the seed of the order, and forgets earlier divergence. */
void fibers_seed(u64 seed);

/* Runs work in 32 fibers until all have returned. */
void fibers_run(void (*work)(void *context), void *context);

/* Whether in some run lanes returned while others waited at a barrier. */
bool fibers_parted(void);

/* For the work: number of the running lane; wait for all lanes. */
u32 fiber_lane(void);
void fiber_barrier(void);

/* Operations that warps and sub-groups have instructions for; all lanes must take part. Mask of lanes with a nonzero predicate,
 * value of another lane, smallest value, mask of lanes with the same value. */
u32 fiber_ballot(u32 predicate);
u32 fiber_shuffle(u32 value, u32 lane);
u32 fiber_least(u32 value);
u32 fiber_alike(u32 value);

#endif
