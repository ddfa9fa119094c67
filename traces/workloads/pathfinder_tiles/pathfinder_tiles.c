#include "workload.h"

#include "base/error.h"

WORKLOAD(pathfinder_tiles, "xiang2014", 6, "pathfinder_dynproc with the registers of its time (Xiang 2014, Table 2: PathFinder)");
SHARES(pathfinder_dynproc);

enum { REGISTERS = 13 }; /* of a thread, Table 2: 3328 a block, misprinted 3228 */

static const char *const sources[WS_SIZES] = {
    [WS_SIZE_TINY] = "pathfinder_tiles:tiny",
    [WS_SIZE_SMALL] = "pathfinder_tiles:small",
    [WS_SIZE_PAPER] = "pathfinder_tiles:paper",
};

enum ws_status ws_pathfinder_tiles_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_pathfinder_dynproc_prepare(size, seed, launch, error));
    launch->source = sources[size];
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_pathfinder_tiles_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_pathfinder_dynproc_check(launch, size, seed, error);
}
