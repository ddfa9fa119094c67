#include "data/graph.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

#define FEWEST_LINKS 2u
#define MOST_LINKS   4u

/* Undirected links. */
struct links {
    u32 count;
    u32 (*ends)[2];
};

static enum ws_status make_links(u32 nodes, u64 *random, struct links *links, struct ws_error *error)
{
    *links = (struct links){.ends = malloc((size_t)nodes * MOST_LINKS * sizeof *links->ends)};
    if (!links->ends)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for a graph of %u nodes", nodes);
    for (u32 node = 0; node < nodes; node++) {
        for (u32 n = ws_random_range(random, FEWEST_LINKS, MOST_LINKS); n > 0; n--) {
            u32 *ends = links->ends[links->count++];
            ends[0] = node;
            ends[1] = ws_random_range(random, 0, nodes - 1);
        }
    }
    return WS_STATUS_ok;
}

/* Sorts the links into the neighbours of each node: a counting sort; first_edge must be zero. */
static void sort_links(const struct links *links, u32 nodes, u32 *first_edge, u32 *edges)
{
    for (u32 n = 0; n < links->count; n++)
        for (u32 end = 0; end < 2; end++)
            first_edge[links->ends[n][end]]++;
    for (u32 node = 0, sum = 0; node <= nodes; node++)
        first_edge[node] = sum += first_edge[node]; /* where the node's edges end: filled backwards */
    for (u32 n = links->count; n-- > 0;)
        for (u32 end = 0; end < 2; end++)
            edges[--first_edge[links->ends[n][end]]] = links->ends[n][1 - end];
}

enum ws_status ws_graph_make(u32 nodes, u64 *random, struct ws_graph *graph, struct ws_error *error)
{
    struct links links;
    *graph = (struct ws_graph){.nodes = nodes};
    WS_TRY(make_links(nodes, random, &links, error));
    graph->edge_count = 2 * links.count;
    graph->first_edge = calloc(nodes + 1ull, sizeof *graph->first_edge);
    graph->edges = malloc(graph->edge_count * sizeof *graph->edges);
    enum ws_status status = WS_STATUS_ok;
    if (graph->first_edge && graph->edges)
        sort_links(&links, nodes, graph->first_edge, graph->edges);
    else
        status = ws_fail(error, WS_STATUS_no_memory, "no memory for a graph of %u nodes", nodes);
    free(links.ends);
    if (status != WS_STATUS_ok)
        ws_graph_free(graph);
    return status;
}

void ws_graph_free(struct ws_graph *graph)
{
    free(graph->first_edge);
    free(graph->edges);
    *graph = (struct ws_graph){0};
}

void ws_graph_search(const struct ws_graph *graph, u32 source, u32 *distance, u32 *queue)
{
    for (u32 node = 0; node < graph->nodes; node++)
        distance[node] = WS_GRAPH_UNREACHED;
    u32 end = 0;
    distance[source] = 0;
    queue[end++] = source;
    for (u32 next = 0; next < end; next++) {
        const u32 node = queue[next];
        for (u32 edge = graph->first_edge[node]; edge < graph->first_edge[node + 1]; edge++) {
            const u32 neighbour = graph->edges[edge];
            if (distance[neighbour] == WS_GRAPH_UNREACHED) {
                distance[neighbour] = distance[node] + 1;
                queue[end++] = neighbour;
            }
        }
    }
}
