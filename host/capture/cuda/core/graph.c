#include "capture/cuda/core/graph.h"

#include <stdlib.h>
#include <string.h>

static struct gpu_graph *graphs;

struct gpu_graph *gpu_graph_find(void *handle, bool executable)
{
    for (struct gpu_graph *graph = graphs; graph; graph = graph->next)
        if (graph == handle && graph->executable == executable)
            return graph;
    return NULL;
}

struct gpu_graph *gpu_graph_make(void)
{
    struct gpu_graph *const graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->next = graphs;
    graphs = graph;
    return graph;
}

void gpu_graph_free(struct gpu_graph *graph)
{
    struct gpu_graph **at = &graphs;
    while (*at && *at != graph)
        at = &(*at)->next;
    if (*at)
        *at = graph->next;
    for (u32 n = 0; n < graph->count; n++) {
        struct gpu_node *const node = graph->nodes[n];
        if (node->child)
            gpu_graph_free(node->child);
        gpu_task_free(&node->task);
        free(node->before);
        free(node);
    }
    free(graph->nodes);
    free(graph);
}

bool gpu_node_follow(struct gpu_node *node, struct gpu_node *before)
{
    for (u32 n = 0; n < node->before_count; n++)
        if (node->before[n] == before)
            return true;
    struct gpu_node **const more = realloc(node->before, ((size_t)node->before_count + 1) * sizeof(void *));
    if (!more)
        return false;
    node->before = more;
    node->before[node->before_count++] = before;
    return true;
}

static bool make_room(struct gpu_graph *graph)
{
    const u32 room = graph->room ? 2 * graph->room : 16;
    if (graph->count < graph->room)
        return true;
    struct gpu_node **const more = realloc(graph->nodes, room * sizeof(void *));
    if (!more)
        return false;
    graph->nodes = more;
    graph->room = room;
    return true;
}

struct gpu_node *gpu_graph_add(struct gpu_graph *graph, const struct gpu_task *task, struct gpu_node *const *before, u32 count)
{
    struct gpu_node *const node = make_room(graph) ? calloc(1, sizeof *node) : NULL;
    if (!node || !gpu_task_clone(task, &node->task)) {
        free(node);
        return NULL;
    }
    node->number = graph->count;
    node->graph = graph;
    graph->nodes[graph->count++] = node;
    for (u32 n = 0; n < count; n++)
        if (!gpu_node_follow(node, before[n]))
            return NULL;
    return node;
}

struct gpu_graph *gpu_graph_clone(const struct gpu_graph *graph)
{
    struct gpu_graph *const copy = gpu_graph_make();
    bool good = copy != NULL;
    for (u32 n = 0; good && n < graph->count; n++) {
        const struct gpu_node *const from = graph->nodes[n];
        struct gpu_node *const node = gpu_graph_add(copy, &from->task, NULL, 0);
        good = node != NULL;
        if (!good)
            break;
        node->disabled = from->disabled;
        node->removed = from->removed;
        node->child = from->child ? gpu_graph_clone(from->child) : NULL;
        good = !from->child || node->child;
    }
    for (u32 n = 0; good && n < graph->count; n++)
        for (u32 b = 0; good && b < graph->nodes[n]->before_count; b++)
            good = gpu_node_follow(copy->nodes[n], copy->nodes[graph->nodes[n]->before[b]->number]);
    if (good || !copy)
        return copy;
    gpu_graph_free(copy);
    return NULL;
}

static bool is_ready(const struct gpu_node *node, const bool *done)
{
    for (u32 n = 0; n < node->before_count; n++)
        if (!done[node->before[n]->number])
            return false;
    return true;
}

static int run_node(const struct gpu_node *node)
{
    if (node->removed || node->disabled)
        return GPU_none;
    return node->child ? gpu_graph_run(node->child) : gpu_task_run(&node->task);
}

int gpu_graph_run(struct gpu_graph *graph)
{
    bool *const done = calloc((size_t)graph->count + 1, sizeof *done);
    bool moves = true;
    int error = done ? GPU_none : GPU_memory;
    u32 left = graph->count;
    while (error == GPU_none && left > 0 && moves) {
        moves = false;
        for (u32 n = 0; error == GPU_none && n < graph->count; n++) {
            if (done[n] || !is_ready(graph->nodes[n], done))
                continue;
            error = run_node(graph->nodes[n]);
            done[n] = moves = true;
            left--;
        }
    }
    free(done);
    return error == GPU_none && left > 0 ? gpu_fail(GPU_value, "the graph has a cycle") : error;
}
