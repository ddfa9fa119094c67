#include "workload.h"

#include "base/error.h"

WORKLOAD(hotspot_tiles, "xiang2014", 5, "hotspot_temp with the registers of its time (Xiang 2014, Table 2: HotSpot)");
SHARES(hotspot_temp);

enum { REGISTERS = 35 }; /* of a thread, Table 2: 8960 a block */

static const char *const sources[WS_SIZES] = {
    [WS_SIZE_TINY] = "hotspot_tiles:tiny",
    [WS_SIZE_SMALL] = "hotspot_tiles:small",
    [WS_SIZE_PAPER] = "hotspot_tiles:paper",
};

enum ws_status ws_hotspot_tiles_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_hotspot_temp_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_hotspot_tiles_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_hotspot_temp_check(launch, size, seed, error);
}
