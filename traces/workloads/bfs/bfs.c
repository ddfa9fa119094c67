#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "data/graph.h"

WORKLOAD(bfs, "narasiman2011", 12, "breadth-first search of a random graph (Narasiman 2011, Table 2: bfs)");

#define ITEMS 1024u /* in one work-group */

enum { FIRST_EDGE, EDGES, FRONTIER, UPDATING, VISITED, COST, AGAIN, NODES, ARGUMENTS };

#define SOURCE 0u

static const struct {
    const char *source;
    u32 nodes;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"bfs:tiny", 64},
    [WS_SIZE_SMALL] = {"bfs:small", 40 * 1000},
    [WS_SIZE_PAPER] = {"bfs:paper", 1000 * 1000},
};

static enum ws_status make_launch(const char *source, struct ws_graph *graph, struct ws_ndrange *launch, struct ws_error *error)
{
    const u64 nodes = graph->nodes;
    const struct ws_argument arguments[ARGUMENTS] = {
        [FIRST_EDGE] = {WS_ARGUMENT_BUFFER, "first_edge", (nodes + 1) * sizeof(u32), graph->first_edge},
        [EDGES] = {WS_ARGUMENT_BUFFER, "edges", graph->edge_count * sizeof(u32), graph->edges},
        [FRONTIER] = {WS_ARGUMENT_BUFFER, "frontier", nodes, NULL},
        [UPDATING] = {WS_ARGUMENT_BUFFER, "updating", nodes, NULL},
        [VISITED] = {WS_ARGUMENT_BUFFER, "visited", nodes, NULL},
        [COST] = {WS_ARGUMENT_BUFFER, "cost", nodes * sizeof(u32), NULL},
        [AGAIN] = {WS_ARGUMENT_BUFFER, "again", 2 * sizeof(u32), NULL},
        [NODES] = {WS_ARGUMENT_SCALAR, "nodes", sizeof graph->nodes, &graph->nodes},
    };
    *launch = (struct ws_ndrange){.kernel = "bfs", .source = source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    return ws_launch_arguments(launch, arguments, ARGUMENTS, error);
}

static void start_at_source(struct ws_ndrange *launch, u32 nodes)
{
    u8 *frontier = launch->arguments[FRONTIER].data;
    u8 *visited = launch->arguments[VISITED].data;
    u32 *cost = launch->arguments[COST].data;
    for (u32 node = 0; node < nodes; node++)
        cost[node] = WS_GRAPH_UNREACHED;
    frontier[SOURCE] = 1;
    visited[SOURCE] = 1;
    cost[SOURCE] = 0;
}

enum ws_status ws_bfs_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    struct ws_graph graph;
    WS_TRY(ws_graph_make(inputs[size].nodes, &seed, &graph, error));
    const enum ws_status status = make_launch(inputs[size].source, &graph, launch, error);
    ws_graph_free(&graph);
    if (status == WS_STATUS_ok)
        start_at_source(launch, inputs[size].nodes);
    return status;
}

/* Leaves what the kernel leaves; queue has room for all nodes. */
static void search(struct ws_ndrange *launch, u32 nodes, u32 *queue)
{
    const struct ws_graph graph = {
        .nodes = nodes, .first_edge = launch->arguments[FIRST_EDGE].data, .edges = launch->arguments[EDGES].data};
    u32 *cost = launch->arguments[COST].data;
    u8 *frontier = launch->arguments[FRONTIER].data, *visited = launch->arguments[VISITED].data;
    ws_graph_search(&graph, SOURCE, cost, queue);
    for (u32 node = 0; node < nodes; node++)
        visited[node] = cost[node] != WS_GRAPH_UNREACHED;
    frontier[SOURCE] = 0;
}

static enum ws_status compare(const struct ws_ndrange *launch, const struct ws_ndrange *expected, struct ws_error *error)
{
    static const u32 masks[] = {FRONTIER, UPDATING, VISITED};
    static const u32 words[] = {FIRST_EDGE, EDGES, COST};
    for (size_t n = 0; n < sizeof masks / sizeof *masks; n++)
        WS_TRY(ws_launch_equal(launch, expected, masks[n], sizeof(u8), error));
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        WS_TRY(ws_launch_equal(launch, expected, words[n], sizeof(u32), error));
    return WS_STATUS_ok;
}

enum ws_status ws_bfs_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_bfs_prepare(size, seed, &expected, error));
    u32 *queue = malloc(inputs[size].nodes * sizeof *queue);
    enum ws_status status;
    if (queue) {
        search(&expected, inputs[size].nodes, queue);
        status = compare(launch, &expected, error);
    } else {
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check a graph of %u nodes", inputs[size].nodes);
    }
    free(queue);
    ws_launch_release(&expected);
    return status;
}
