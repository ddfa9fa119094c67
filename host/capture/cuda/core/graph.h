/* Graphs: work with an order, from captured streams or node by node. */
#pragma once

#include "capture/cuda/core/task.h"

struct gpu_node {
    u32 number; /* in the graph */
    struct gpu_graph *graph;
    struct gpu_task task;
    struct gpu_graph *child;  /* a graph within the graph, or NULL */
    struct gpu_node **before; /* it follows these */
    u32 before_count;
    bool disabled, removed;
};

struct gpu_graph {
    struct gpu_node **nodes; /* in the order in which they were added; removed ones stay */
    u32 count, room;
    bool executable; /* an instance, cudaGraphExec_t */
    struct gpu_graph *next;
};

/* NULL for what is none. */
struct gpu_graph *gpu_graph_find(void *handle, bool executable);
struct gpu_graph *gpu_graph_make(void);
void gpu_graph_free(struct gpu_graph *graph);

/* A copy with the same order, numbers of nodes included. NULL when out of memory. */
struct gpu_graph *gpu_graph_clone(const struct gpu_graph *graph);

/* Adds work behind the nodes before; the task is copied. NULL when out of memory. */
struct gpu_node *gpu_graph_add(struct gpu_graph *graph, const struct gpu_task *task, struct gpu_node *const *before, u32 count);

/* Adds an edge. */
bool gpu_node_follow(struct gpu_node *node, struct gpu_node *before);

/* Does all work, each node behind those that it follows; in one order for each graph. */
int gpu_graph_run(struct gpu_graph *graph);
