#include "workload.h"

#include "families/options.h"

WORKLOAD(blackscholes, "narasiman2011", 6,
         "call and put prices by the Black-Scholes formula (Narasiman 2011, Table 2: blackscholes)");

static const struct ws_options sizes[WS_SIZES] = {
    [WS_SIZE_TINY] = {"blackscholes", "blackscholes:tiny", 300, 1, 1024},
    [WS_SIZE_SMALL] = {"blackscholes", "blackscholes:small", 32 * 1024, 1, 1024},
    [WS_SIZE_PAPER] = {"blackscholes", "blackscholes:paper", 512 * 1024, 1, 1024},
};

enum ws_status ws_blackscholes_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_options_prepare(&sizes[size], seed, launch, error);
}

enum ws_status ws_blackscholes_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_options_check(&sizes[size], launch, seed, error);
}
