#include "families/generator.h"

#include "workload.h"

WORKLOAD(first_warp_1024, "xiang2014", 14, "first_warp with blocks of 1024 (Xiang 2014, section 2)");
SHARES(first_warp);

static const struct ws_generator sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"first_warp_1024:tiny", 2, 1024, 256},
    [WS_SIZE_SMALL] = {"first_warp_1024:small", 80, 1024, 500},
    [WS_SIZE_PAPER] = {"first_warp_1024:paper", 1000, 1024, 500},
};

enum ws_status ws_first_warp_1024_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_generator_prepare(&sizes[size], seed, launch, error);
}

enum ws_status ws_first_warp_1024_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_generator_check(&sizes[size], launch, seed, error);
}
