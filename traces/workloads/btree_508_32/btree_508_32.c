#include "families/queries.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(btree_508_32, "xiang2014", 15, "btree_508 with a block of one warp for each query (Xiang 2014, section 6.3: BT)");

enum { ORDER = 508, ITEMS = 32, REGISTERS = 11 }; /* of the tree; of a block; of a thread, Table 2: as btree_508 */

static const struct ws_queries inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"btree_508_32", "btree_508_32:tiny", ORDER, 1000, 2},
    [WS_SIZE_SMALL] = {"btree_508_32", "btree_508_32:small", ORDER, 65536, 200},
    [WS_SIZE_PAPER] = {"btree_508_32", "btree_508_32:paper", ORDER, 1000 * 1000, 3000},
};

enum ws_status ws_btree_508_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_queries_prepare(&inputs[size], seed, launch, error));
    launch->global[0] = ITEMS * inputs[size].queries;
    launch->local[0] = ITEMS;
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_btree_508_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_queries_check(&inputs[size], launch, seed, error);
}
