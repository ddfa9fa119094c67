#include "families/generator.h"

#include "workload.h"

WORKLOAD(first_warp, "xiang2014", 14, "the first warp of a block computes, the others end at once (Xiang 2014, Figure 1)");

static const struct ws_generator sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"first_warp:tiny", 6, 256, 64},
    [WS_SIZE_SMALL] = {"first_warp:small", 100, 256, 500},
    [WS_SIZE_PAPER] = {"first_warp:paper", 1000, 256, 500},
};

enum ws_status ws_first_warp_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_generator_prepare(&sizes[size], seed, launch, error);
}

enum ws_status ws_first_warp_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_generator_check(&sizes[size], launch, seed, error);
}
