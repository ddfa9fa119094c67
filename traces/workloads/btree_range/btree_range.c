#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/btree.h"

WORKLOAD(btree_range, "anantpur2015", 13,
         "range queries in a B+ tree (Anantpur and Govindarajan 2015, Table II: b+tree findRangeK)");

enum { NODES, CURRENT, NEXT, CURRENT_END, NEXT_END, BEGINS, ENDS, FIRSTS, COUNTS, LEVELS, ARGUMENTS };

enum { ORDER = 256 }; /* of the tree, and work-items of a work-group */

static const struct {
    const char *source;
    u32 records, queries, most; /* records of a query */
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"btree_range:tiny", 500, 2, 300},
    [WS_SIZE_SMALL] = {"btree_range:small", 65536, 250, 3000},
    [WS_SIZE_PAPER] = {"btree_range:paper", 1000 * 1000, 6000, 3000},
};

static void draw(struct ws_ndrange *launch, const u32 *keys, enum ws_size size, u64 *seed)
{
    u32 *begins = launch->arguments[BEGINS].data, *ends = launch->arguments[ENDS].data;
    for (u32 n = 0; n < inputs[size].queries; n++) {
        const u32 first = ws_random_range(seed, 0, inputs[size].records - 1);
        const u32 count = ws_random_range(seed, 1, inputs[size].most);
        begins[n] = keys[first];
        ends[n] = keys[ws_min(first + count, inputs[size].records) - 1];
    }
}

enum ws_status ws_btree_range_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 records = inputs[size].records, queries = inputs[size].queries;
    u32 levels;
    const u64 nodes = ws_btree_nodes(ORDER, records, &levels), bytes = queries * sizeof(u32);
    const struct ws_argument arguments[ARGUMENTS] = {
        [NODES] = {WS_ARGUMENT_BUFFER, "nodes", nodes * WS_BTREE_WORDS(ORDER) * sizeof(u32), NULL},
        [CURRENT] = {WS_ARGUMENT_BUFFER, "current", bytes, NULL},
        [NEXT] = {WS_ARGUMENT_BUFFER, "next", bytes, NULL},
        [CURRENT_END] = {WS_ARGUMENT_BUFFER, "current_end", bytes, NULL},
        [NEXT_END] = {WS_ARGUMENT_BUFFER, "next_end", bytes, NULL},
        [BEGINS] = {WS_ARGUMENT_BUFFER, "begins", bytes, NULL},
        [ENDS] = {WS_ARGUMENT_BUFFER, "ends", bytes, NULL},
        [FIRSTS] = {WS_ARGUMENT_BUFFER, "firsts", bytes, NULL},
        [COUNTS] = {WS_ARGUMENT_BUFFER, "counts", bytes, NULL},
        [LEVELS] = {WS_ARGUMENT_SCALAR, "levels", sizeof levels, &levels},
    };
    *launch = (struct ws_ndrange){
        .kernel = "btree_range", .source = inputs[size].source, .global = {ORDER * queries, 1, 1}, .local = {ORDER, 1, 1}};
    u32 *keys = ws_btree_keys(records, &seed);
    if (!keys)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for %u keys", records);
    const enum ws_status status = ws_launch_arguments(launch, arguments, ARGUMENTS, error);
    if (status == WS_STATUS_ok) {
        ws_btree_build(ORDER, launch->arguments[NODES].data, keys, records);
        draw(launch, keys, size, &seed);
    }
    free(keys);
    return status;
}

/* By binary search in the keys; inner nodes are not read. */
static void find(struct ws_ndrange *launch, const u32 *keys, enum ws_size size)
{
    const u32 *begins = launch->arguments[BEGINS].data, *ends = launch->arguments[ENDS].data;
    u32 *current = launch->arguments[CURRENT].data, *next = launch->arguments[NEXT].data;
    u32 *current_end = launch->arguments[CURRENT_END].data, *next_end = launch->arguments[NEXT_END].data;
    u32 *firsts = launch->arguments[FIRSTS].data, *counts = launch->arguments[COUNTS].data;
    for (u32 n = 0; n < inputs[size].queries; n++) {
        const u32 records = inputs[size].records;
        const u32 first = ws_btree_record(keys, records, begins[n]), last = ws_btree_record(keys, records, ends[n]);
        current[n] = next[n] = ws_btree_leaf(ORDER, records, first);
        current_end[n] = next_end[n] = ws_btree_leaf(ORDER, records, last);
        firsts[n] = first;
        counts[n] = last - first + 1;
    }
}

enum ws_status ws_btree_range_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_btree_range_prepare(size, seed, &expected, error));
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
