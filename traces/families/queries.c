#include "families/queries.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "data/btree.h"
#include "workload.h"

enum { NODES, RECORDS, CURRENT, NEXT, QUERIES, ANSWERS, LEVELS, ARGUMENTS };

/* One query in 16 is not in the tree. */
static void draw(struct ws_ndrange *launch, const u32 *keys, const struct ws_queries *point, u64 *seed)
{
    u32 *records = launch->arguments[RECORDS].data, *queries = launch->arguments[QUERIES].data;
    for (u32 n = 0; n < point->records; n++)
        records[n] = (u32)ws_random(seed);
    for (u32 n = 0; n < point->queries; n++) {
        queries[n] = keys[ws_random_range(seed, 0, point->records - 1)];
        queries[n] += ws_random_range(seed, 0, 15) == 0;
    }
}

enum ws_status ws_queries_prepare(const struct ws_queries *point, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 records = point->records, queries = point->queries;
    u32 levels;
    const u64 nodes = ws_btree_nodes(point->order, records, &levels);
    const struct ws_argument arguments[ARGUMENTS] = {
        [NODES] = {WS_ARGUMENT_BUFFER, "nodes", nodes * WS_BTREE_WORDS(point->order) * sizeof(u32), NULL},
        [RECORDS] = {WS_ARGUMENT_BUFFER, "records", records * sizeof(u32), NULL},
        [CURRENT] = {WS_ARGUMENT_BUFFER, "current", queries * sizeof(u32), NULL},
        [NEXT] = {WS_ARGUMENT_BUFFER, "next", queries * sizeof(u32), NULL},
        [QUERIES] = {WS_ARGUMENT_BUFFER, "queries", queries * sizeof(u32), NULL},
        [ANSWERS] = {WS_ARGUMENT_BUFFER, "answers", queries * sizeof(u32), NULL},
        [LEVELS] = {WS_ARGUMENT_SCALAR, "levels", sizeof levels, &levels},
    };
    *launch = (struct ws_ndrange){
        .kernel = point->kernel, .source = point->source, .global = {point->order * queries, 1, 1}, .local = {point->order, 1, 1}};
    u32 *keys = ws_btree_keys(records, &seed);
    if (!keys)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for %u keys", records);
    const enum ws_status status = ws_launch_arguments(launch, arguments, ARGUMENTS, error);
    if (status == WS_STATUS_ok) {
        ws_btree_build(point->order, launch->arguments[NODES].data, keys, records);
        draw(launch, keys, point, &seed);
    }
    free(keys);
    return status;
}

/* By binary search in the keys; inner nodes are not read. */
static void find(struct ws_ndrange *launch, const u32 *keys, const struct ws_queries *point)
{
    const u32 *records = launch->arguments[RECORDS].data, *queries = launch->arguments[QUERIES].data;
    u32 *current = launch->arguments[CURRENT].data, *next = launch->arguments[NEXT].data;
    u32 *answers = launch->arguments[ANSWERS].data;
    for (u32 n = 0; n < point->queries; n++) {
        const u32 record = ws_btree_record(keys, point->records, queries[n]);
        current[n] = next[n] = ws_btree_leaf(point->order, point->records, record);
        if (keys[record] == queries[n])
            answers[n] = records[record];
    }
}

enum ws_status ws_queries_check(const struct ws_queries *point, const struct ws_ndrange *launch, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_queries_prepare(point, seed, &expected, error));
    u32 *keys = ws_btree_keys(point->records, &seed);
    enum ws_status status = WS_STATUS_ok;
    if (keys) {
        find(&expected, keys, point);
        status = ws_launch_agrees(launch, &expected, NULL, error);
    } else {
        status = ws_fail(error, WS_STATUS_no_memory, "no memory for %u keys", point->records);
    }
    free(keys);
    ws_launch_release(&expected);
    return status;
}
