#include "families/queries.h"

#include "workload.h"

WORKLOAD(btree_find, "anantpur2015", 14, "point queries in a B+ tree (Anantpur and Govindarajan 2015, Table II: b+tree findK)");

enum { ORDER = 256 };

static const struct ws_queries inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"btree_find", "btree_find:tiny", ORDER, 500, 4},
    [WS_SIZE_SMALL] = {"btree_find", "btree_find:small", ORDER, 65536, 400},
    [WS_SIZE_PAPER] = {"btree_find", "btree_find:paper", ORDER, 1000 * 1000, 10000},
};

enum ws_status ws_btree_find_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return ws_queries_prepare(&inputs[size], seed, launch, error);
}

enum ws_status ws_btree_find_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_queries_check(&inputs[size], launch, seed, error);
}
