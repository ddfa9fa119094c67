#include "families/queries.h"

#include "base/error.h"
#include "workload.h"

WORKLOAD(btree_508, "xiang2014", 12, "point queries in a B+ tree of order 508 (Xiang 2014, Table 2: B+Tree)");

enum { ORDER = 508, REGISTERS = 11 }; /* of the tree; of a thread, Table 2: 5632 a block */

static const struct ws_queries inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"btree_508", "btree_508:tiny", ORDER, 1000, 2},
    [WS_SIZE_SMALL] = {"btree_508", "btree_508:small", ORDER, 65536, 200},
    [WS_SIZE_PAPER] = {"btree_508", "btree_508:paper", ORDER, 1000 * 1000, 3000},
};

enum ws_status ws_btree_508_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    WS_TRY(ws_queries_prepare(&inputs[size], seed, launch, error));
    launch->registers = REGISTERS;
    return WS_STATUS_ok;
}

enum ws_status ws_btree_508_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_queries_check(&inputs[size], launch, seed, error);
}
