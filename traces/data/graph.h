/* Random undirected graphs, for the workloads that search one. */
#pragma once

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* edges[first_edge[n]] to edges[first_edge[n + 1] - 1] are the neighbours of node n; an edge stands at both of its ends. */
struct ws_graph {
    u32 nodes, edge_count;
    u32 *first_edge, *edges;
};

/* Every node links itself to 2 to 4 random nodes, and they to it: 6 edges a node on average, as in Rodinia's random graphs. To be
 * freed by ws_graph_free. */
enum ws_status ws_graph_make(u32 nodes, u64 *random, struct ws_graph *graph, struct ws_error *error);
void ws_graph_free(struct ws_graph *graph);

#define WS_GRAPH_UNREACHED UINT32_MAX

/* Searches with a queue of nodes, with room for all at queue: distance is the number of edges from source to each node, or
 * WS_GRAPH_UNREACHED. */
void ws_graph_search(const struct ws_graph *graph, u32 source, u32 *distance, u32 *queue);
