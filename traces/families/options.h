/* Options priced by the Black-Scholes formula: the launch and the check that several workloads share. */
#pragma once

#include "warpsweep/frontend.h"

/* A launch of one size: groups work-groups of items work-items that go through the options. */
struct ws_options {
    const char *kernel, *source;
    u32 options, groups, items;
    u32 rounds; /* through all options, as the last but one argument, then a stack of frame words a work-item; 0: neither */
    u32 frame;
};

/* A workload's two functions. The arguments: price, strike, years, call, put, each an element an option; rate and volatility a
 * year; the number of options. */
enum ws_status ws_options_prepare(const struct ws_options *options, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
enum ws_status ws_options_check(const struct ws_options *options, const struct ws_ndrange *launch, u64 seed,
                                struct ws_error *error);
