#include "workload.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(bfs, "narasiman2011", 12, "breadth-first search of a random graph (Narasiman 2011, Table 2: bfs)");

#define ITEMS 1024u /* in one work-group */

enum { FIRST_EDGE, EDGES, FRONTIER, UPDATING, VISITED, COST, AGAIN, NODES, ARGUMENTS };

#define UNREACHED UINT32_MAX
#define SOURCE    0u

/* Every node links itself to 2 to 4 random nodes, and they to it: a mean degree of 6, as in Rodinia's random graphs. */
#define FEWEST_LINKS 2u
#define MOST_LINKS   4u

static const struct {
    const char *source;
    u32 nodes;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"bfs:tiny", 64},
    [WS_SIZE_SMALL] = {"bfs:small", 40 * 1000},
    [WS_SIZE_PAPER] = {"bfs:paper", 1000 * 1000},
};

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

static enum ws_status make_launch(const char *source, u32 nodes, const struct links *links, struct ws_ndrange *launch,
                                  struct ws_error *error)
{
    const struct ws_argument arguments[ARGUMENTS] = {
        [FIRST_EDGE] = {WS_ARGUMENT_BUFFER, "first_edge", ((u64)nodes + 1) * sizeof(u32), NULL},
        [EDGES] = {WS_ARGUMENT_BUFFER, "edges", (u64)links->count * 2 * sizeof(u32), NULL},
        [FRONTIER] = {WS_ARGUMENT_BUFFER, "frontier", nodes, NULL},
        [UPDATING] = {WS_ARGUMENT_BUFFER, "updating", nodes, NULL},
        [VISITED] = {WS_ARGUMENT_BUFFER, "visited", nodes, NULL},
        [COST] = {WS_ARGUMENT_BUFFER, "cost", (u64)nodes * sizeof(u32), NULL},
        [AGAIN] = {WS_ARGUMENT_BUFFER, "again", 2 * sizeof(u32), NULL},
        [NODES] = {WS_ARGUMENT_SCALAR, "nodes", sizeof nodes, &nodes},
    };
    *launch = (struct ws_ndrange){.kernel = "bfs", .source = source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    sort_links(links, nodes, launch->arguments[FIRST_EDGE].data, launch->arguments[EDGES].data);
    return WS_STATUS_ok;
}

static void start_at_source(struct ws_ndrange *launch, u32 nodes)
{
    u8 *frontier = launch->arguments[FRONTIER].data;
    u8 *visited = launch->arguments[VISITED].data;
    u32 *cost = launch->arguments[COST].data;
    for (u32 node = 0; node < nodes; node++)
        cost[node] = UNREACHED;
    frontier[SOURCE] = 1;
    visited[SOURCE] = 1;
    cost[SOURCE] = 0;
}

enum ws_status ws_bfs_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 nodes = inputs[size].nodes;
    struct links links;
    WS_TRY(make_links(nodes, &seed, &links, error));
    const enum ws_status status = make_launch(inputs[size].source, nodes, &links, launch, error);
    free(links.ends);
    if (status == WS_STATUS_ok)
        start_at_source(launch, nodes);
    return status;
}

/* Searches with a queue of nodes, with room for all at queue, and leaves what the kernel leaves. */
static void search(struct ws_ndrange *launch, u32 *queue)
{
    const u32 *first_edge = launch->arguments[FIRST_EDGE].data;
    const u32 *edges = launch->arguments[EDGES].data;
    u8 *visited = launch->arguments[VISITED].data;
    u32 *cost = launch->arguments[COST].data;
    u32 end = 0;
    queue[end++] = SOURCE;
    for (u32 next = 0; next < end; next++) {
        const u32 node = queue[next];
        for (u32 edge = first_edge[node]; edge < first_edge[node + 1]; edge++) {
            const u32 neighbour = edges[edge];
            if (visited[neighbour])
                continue;
            visited[neighbour] = 1;
            cost[neighbour] = cost[node] + 1;
            queue[end++] = neighbour;
        }
    }
    u8 *frontier = launch->arguments[FRONTIER].data;
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
        search(&expected, queue);
        status = compare(launch, &expected, error);
    } else {
        status = ws_fail(error, WS_STATUS_no_memory, "no memory to check a graph of %u nodes", inputs[size].nodes);
    }
    free(queue);
    ws_launch_release(&expected);
    return status;
}
