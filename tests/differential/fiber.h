/* 32 lanes as fibers of one thread: a barrier is a yield, and the lanes go on in an order that a seed decides. What depends on that
 * order is a race. */
#ifndef WS_TESTS_FIBER_H
#define WS_TESTS_FIBER_H

#include <stdbool.h>

#include "shared/dialect.h"

/* Decides the order of lanes from now on, and forgets that lanes have diverged. */
void fibers_seed(u64 seed);

/* Runs work in 32 fibers until all have returned. */
void fibers_run(void (*work)(void *context), void *context);

/* Whether in some run lanes returned while others waited at a barrier. */
bool fibers_parted(void);

/* For the work: the number of the lane that runs; waiting for all lanes. */
u32 fiber_lane(void);
void fiber_barrier(void);

/* What warps and sub-groups have instructions for; all lanes must come. The mask of lanes whose predicate is not zero, the value of
 * another lane, the smallest value, the mask of lanes that have the same value. */
u32 fiber_ballot(u32 predicate);
u32 fiber_shuffle(u32 value, u32 lane);
u32 fiber_least(u32 value);
u32 fiber_alike(u32 value);

#endif
