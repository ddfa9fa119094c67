#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "data/graph.h"

WORKLOAD(bfs_step, "anantpur2015", 2, "one level of a breadth-first search, a node a work-item (Anantpur 2015, Table II: BFS)");

enum { NODES, EDGES, FRONTIER, NEXT, VISITED, COST, AGAIN, COUNT, ARGUMENTS };

enum { ITEMS = 256, SOURCE = 0, MOST_LEVELS = 64 };

static const struct {
    const char *source;
    u32 nodes;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"bfs_step:tiny", 1000},
    [WS_SIZE_SMALL] = {"bfs_step:small", 65536},
    [WS_SIZE_PAPER] = {"bfs_step:paper", 65536},
};

/* The level with most nodes that reach others or are reached. */
static u32 busiest_level(const u32 *distance, u32 nodes)
{
    u32 count[MOST_LEVELS + 1] = {0}, busiest = 0;
    for (u32 node = 0; node < nodes; node++)
        if (distance[node] <= MOST_LEVELS)
            count[distance[node]]++;
    for (u32 level = 1; level < MOST_LEVELS; level++)
        if (count[level] + count[level + 1] > count[busiest] + count[busiest + 1])
            busiest = level;
    return busiest;
}

/* What there is when a level begins, its nodes being the frontier; done: what there is when it has ended. */
static void set_level(struct ws_ndrange *launch, const u32 *distance, u32 nodes, bool done)
{
    u8 *frontier = launch->arguments[FRONTIER].data, *next = launch->arguments[NEXT].data;
    u8 *visited = launch->arguments[VISITED].data, *again = launch->arguments[AGAIN].data;
    u32 *cost = launch->arguments[COST].data;
    const u32 level = busiest_level(distance, nodes);
    for (u32 node = 0; node < nodes; node++) {
        frontier[node] = !done && distance[node] == level;
        next[node] = done && distance[node] == level + 1;
        visited[node] = distance[node] <= level;
        cost[node] = distance[node] <= level + done ? distance[node] : WS_GRAPH_UNREACHED;
        *again |= next[node];
    }
}

static enum ws_status make_launch(const char *source, const struct ws_graph *graph, struct ws_ndrange *launch,
                                  struct ws_error *error)
{
    u32 nodes = graph->nodes;
    const struct ws_argument arguments[ARGUMENTS] = {
        [NODES] = {WS_ARGUMENT_BUFFER, "nodes", nodes * 2 * sizeof(u32), NULL},
        [EDGES] = {WS_ARGUMENT_BUFFER, "edges", graph->edge_count * sizeof(u32), graph->edges},
        [FRONTIER] = {WS_ARGUMENT_BUFFER, "frontier", nodes, NULL},
        [NEXT] = {WS_ARGUMENT_BUFFER, "next", nodes, NULL},
        [VISITED] = {WS_ARGUMENT_BUFFER, "visited", nodes, NULL},
        [COST] = {WS_ARGUMENT_BUFFER, "cost", nodes * sizeof(u32), NULL},
        [AGAIN] = {WS_ARGUMENT_BUFFER, "again", sizeof(u8), NULL},
        [COUNT] = {WS_ARGUMENT_SCALAR, "count", sizeof nodes, &nodes},
    };
    *launch = (struct ws_ndrange){
        .kernel = "bfs_step", .source = source, .global = {(nodes + ITEMS - 1) / ITEMS * ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u32(*ranges)[2] = launch->arguments[NODES].data;
    for (u32 node = 0; node < nodes; node++) {
        ranges[node][0] = graph->first_edge[node];
        ranges[node][1] = graph->first_edge[node + 1] - graph->first_edge[node];
    }
    return WS_STATUS_ok;
}

static enum ws_status prepare(enum ws_size size, u64 seed, bool done, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 nodes = inputs[size].nodes;
    struct ws_graph graph;
    WS_TRY(ws_graph_make(nodes, &seed, &graph, error));
    u32 *distance = malloc(2 * nodes * sizeof *distance); /* and the queue of the search */
    enum ws_status status = make_launch(inputs[size].source, &graph, launch, error);
    if (status == WS_STATUS_ok && distance) {
        ws_graph_search(&graph, SOURCE, distance, distance + nodes);
        set_level(launch, distance, nodes, done);
    } else if (status == WS_STATUS_ok) {
        ws_launch_release(launch);
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to search a graph of %u nodes", nodes);
    }
    free(distance);
    ws_graph_free(&graph);
    return status;
}

enum ws_status ws_bfs_step_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return prepare(size, seed, false, launch, error);
}

enum ws_status ws_bfs_step_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(prepare(size, seed, true, &expected, error));
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < COUNT && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &expected, n, n == NODES || n == EDGES || n == COST ? sizeof(u32) : sizeof(u8), error);
    ws_launch_release(&expected);
    return status;
}
