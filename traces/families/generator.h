/* Blocks of which only the first warp computes: the launch and the check that the workloads of first_warp share. */
#pragma once

#include "warpsweep/frontend.h"

/* groups work-groups of items; the first 32 of each follow a linear congruential generator for rounds. */
struct ws_generator {
    const char *source;
    u32 groups, items, rounds;
};

/* A workload's two functions. A thread has 32 registers, as bloatOccupancy gives it (Xiang 2014, Figure 1). */
enum ws_status ws_generator_prepare(const struct ws_generator *generator, u64 seed, struct ws_ndrange *launch,
                                    struct ws_error *error);
enum ws_status ws_generator_check(const struct ws_generator *generator, const struct ws_ndrange *launch, u64 seed,
                                  struct ws_error *error);
