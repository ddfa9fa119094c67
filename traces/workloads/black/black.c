#include "workload.h"

#include "families/options.h"

WORKLOAD(black, "fung2007", 3, "call and put prices by the Black-Scholes formula, exp and log with branches (Fung 2007: Black)");

enum { ROUNDS = 7, FRAME = 16 }; /* through all options; words of a work-item's stack */

static const struct ws_options sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"black", "black:tiny", 150, 2, 64, ROUNDS, FRAME},
    [WS_SIZE_SMALL] = {"black", "black:small", 10 * 1024, 8, 256, ROUNDS, FRAME},
    [WS_SIZE_PAPER] = {"black", "black:paper", 10 * 1024, 8, 256, ROUNDS, FRAME},
};

enum ws_status ws_black_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_options_prepare(&sizes[size], seed, launch, error);
}

enum ws_status ws_black_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_options_check(&sizes[size], launch, seed, error);
}
