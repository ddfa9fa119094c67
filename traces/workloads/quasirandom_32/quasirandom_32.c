#include "workload.h"

#include "base/error.h"

WORKLOAD(quasirandom_32, "xiang2014", 15, "quasirandom in blocks of one warp (Xiang 2014, section 6.3: MC)");
SHARES(quasirandom);

enum { WIDE = 32, HIGH = 1 };

enum ws_status ws_quasirandom_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const sources[WS_SIZES] = {"quasirandom_32:tiny", "quasirandom_32:small", "quasirandom_32:paper"};
    WS_TRY(ws_quasirandom_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->local[0] = WIDE;
    launch->local[1] = HIGH;
    return WS_STATUS_ok;
}

enum ws_status ws_quasirandom_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_quasirandom_check(launch, size, seed, error);
}
