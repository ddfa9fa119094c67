#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "btree.h"

WORKLOAD(btree_find, "anantpur2015", 14, "point queries in a B+ tree (Anantpur and Govindarajan 2015, Table II: b+tree findK)");

enum { NODES, RECORDS, CURRENT, NEXT, QUERIES, ANSWERS, LEVELS, ARGUMENTS };

static const struct {
    const char *source;
    u32 records, queries;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"btree_find:tiny", 500, 4},
    [WS_SIZE_SMALL] = {"btree_find:small", 65536, 400},
    [WS_SIZE_PAPER] = {"btree_find:paper", 1000 * 1000, 10000},
};

/* One query in 16 is not in the tree. */
static void draw(struct ws_ndrange *launch, const u32 *keys, enum ws_size size, u64 *seed)
{
    u32 *records = launch->arguments[RECORDS].data, *queries = launch->arguments[QUERIES].data;
    for (u32 n = 0; n < inputs[size].records; n++)
        records[n] = (u32)ws_random(seed);
    for (u32 n = 0; n < inputs[size].queries; n++) {
        queries[n] = keys[ws_random_range(seed, 0, inputs[size].records - 1)];
        queries[n] += ws_random_range(seed, 0, 15) == 0;
    }
}

enum ws_status ws_btree_find_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 records = inputs[size].records, queries = inputs[size].queries;
    u32 levels;
    const u64 nodes = ws_btree_nodes(records, &levels);
    const struct ws_argument arguments[ARGUMENTS] = {
        [NODES] = {WS_ARGUMENT_BUFFER, "nodes", nodes * sizeof(struct ws_btree_node), NULL},
        [RECORDS] = {WS_ARGUMENT_BUFFER, "records", records * sizeof(u32), NULL},
        [CURRENT] = {WS_ARGUMENT_BUFFER, "current", queries * sizeof(u32), NULL},
        [NEXT] = {WS_ARGUMENT_BUFFER, "next", queries * sizeof(u32), NULL},
        [QUERIES] = {WS_ARGUMENT_BUFFER, "queries", queries * sizeof(u32), NULL},
        [ANSWERS] = {WS_ARGUMENT_BUFFER, "answers", queries * sizeof(u32), NULL},
        [LEVELS] = {WS_ARGUMENT_SCALAR, "levels", sizeof levels, &levels},
    };
    *launch = (struct ws_ndrange){.kernel = "btree_find",
                                  .source = inputs[size].source,
                                  .global = {WS_BTREE_ORDER * queries, 1, 1},
                                  .local = {WS_BTREE_ORDER, 1, 1}};
    u32 *keys = ws_btree_keys(records, &seed);
    if (!keys)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for %u keys", records);
    const enum ws_status status = ws_launch_arguments(launch, arguments, ARGUMENTS, error);
    if (status == WS_STATUS_ok) {
        ws_btree_build(launch->arguments[NODES].data, keys, records);
        draw(launch, keys, size, &seed);
    }
    free(keys);
    return status;
}

/* By binary search in the keys; inner nodes are not read. */
static void find(struct ws_ndrange *launch, const u32 *keys, enum ws_size size)
{
    const u32 *records = launch->arguments[RECORDS].data, *queries = launch->arguments[QUERIES].data;
    u32 *current = launch->arguments[CURRENT].data, *next = launch->arguments[NEXT].data;
    u32 *answers = launch->arguments[ANSWERS].data;
    for (u32 n = 0; n < inputs[size].queries; n++) {
        const u32 record = ws_btree_record(keys, inputs[size].records, queries[n]);
        current[n] = next[n] = ws_btree_leaf(inputs[size].records, record);
        if (keys[record] == queries[n])
            answers[n] = records[record];
    }
}

enum ws_status ws_btree_find_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_btree_find_prepare(size, seed, &expected, error));
    u32 *keys = ws_btree_keys(inputs[size].records, &seed);
    enum ws_status status = WS_STATUS_ok;
    if (keys) {
        find(&expected, keys, size);
        status = ws_launch_agrees(launch, &expected, NULL, error);
    } else {
        status = ws_fail(error, WS_STATUS_no_memory, "no memory for %u keys", inputs[size].records);
    }
    free(keys);
    ws_launch_release(&expected);
    return status;
}
