/* Graphs: memory of nodes, and instances that take the work of another graph. */
#include <string.h>

#include "capture/cuda/runtime/api.h"

static struct gpu_graph *find(void *handle, bool executable)
{
    struct gpu_graph *const graph = gpu_graph_find(handle, executable);
    if (!graph)
        gpu_fail(GPU_value, "%p is no %s", handle, executable ? "executable graph" : "graph");
    return graph;
}

/* ---- Memory: it is there from the making of the node on, until the program ends ---- */

struct alloc_node {
    char pool[88]; /* cudaMemPoolProps */
    const void *access;
    size_t access_count, bytes;
    void *address; /* the result */
};

static int add_node(void **node, void *handle, void *const *before, size_t count)
{
    const struct gpu_task task = {.kind = GPU_TASK_nothing};
    struct gpu_graph *const graph = find(handle, false);
    if (!graph)
        return GPU_value;
    *node = gpu_graph_add(graph, &task, (struct gpu_node *const *)before, (u32)count);
    return *node ? GPU_none : GPU_memory;
}

static int add_alloc(void **node, void *handle, void *const *before, size_t count, struct alloc_node *params)
{
    struct gpu_range *const range = params->bytes ? gpu_memory_add(GPU_DEVICE, params->bytes) : NULL;
    if (!range)
        return params->bytes ? GPU_memory : gpu_fail(GPU_value, "found an allocation of 0 bytes");
    range->is_kept = true; /* the program may free it between two launches */
    params->address = (void *)(uintptr_t)range->address;
    return add_node(node, handle, before, count);
}

static int add_free(void **node, void *handle, void *const *before, size_t count, const void *address)
{
    return gpu_memory_at(address) ? add_node(node, handle, before, count)
                                  : gpu_fail(GPU_value, "%p is no memory of the device", address);
}

RUNTIME(cudaGraphAddMemAllocNode, (void **node, void *graph, void *const *before, size_t count, struct alloc_node *params),
        add_alloc(node, graph, before, count, params))
RUNTIME(cudaGraphAddMemFreeNode, (void **node, void *graph, void *const *before, size_t count, void *address),
        add_free(node, graph, before, count, address))
RUNTIME(cudaDeviceGraphMemTrim, (int device), device == 0 ? GPU_none : GPU_device)

/* ---- Updates ---- */

/* cudaGraphExecUpdateResultInfo, from version 12 on. */
struct update_result {
    int result;
    void *node, *from;
};
enum { UPDATE_TOPOLOGY = 2, UPDATE_TYPE = 3 };

/* Why the work of one graph cannot replace that of another, or 0; *node: the first node that differs. */
static int differs(const struct gpu_graph *own, const struct gpu_graph *other, struct gpu_node **node)
{
    *node = NULL;
    if (own->count != other->count)
        return UPDATE_TOPOLOGY;
    for (u32 n = 0; n < own->count; n++) {
        const struct gpu_node *const one = own->nodes[n];
        *node = other->nodes[n];
        if (one->removed != (*node)->removed || one->before_count != (*node)->before_count)
            return UPDATE_TOPOLOGY;
        for (u32 i = 0; i < one->before_count; i++)
            if (one->before[i]->number != (*node)->before[i]->number)
                return UPDATE_TOPOLOGY;
        if (one->task.kind != (*node)->task.kind || !one->child != !(*node)->child)
            return UPDATE_TYPE;
        struct gpu_node *inner;
        const int inside = one->child ? differs(one->child, (*node)->child, &inner) : 0;
        if (inside)
            return inside;
    }
    *node = NULL;
    return 0;
}

/* Takes the work of a graph that does not differ, graphs in it included. */
static int take_work(const struct gpu_graph *own, const struct gpu_graph *other)
{
    for (u32 n = 0; n < own->count; n++) {
        struct gpu_node *const to = own->nodes[n];
        struct gpu_task task;
        if (to->child && take_work(to->child, other->nodes[n]->child) != GPU_none)
            return GPU_memory;
        if (!gpu_task_clone(&other->nodes[n]->task, &task))
            return GPU_memory;
        gpu_task_free(&to->task);
        to->task = task;
        to->disabled = other->nodes[n]->disabled;
    }
    return GPU_none;
}

static int update(void *instance, void *handle, struct update_result *result)
{
    struct gpu_graph *const own = find(instance, true);
    const struct gpu_graph *const other = find(handle, false);
    struct gpu_node *node = NULL;
    if (!own || !other)
        return GPU_value;
    result->result = differs(own, other, &node);
    result->node = node;
    result->from = NULL;
    if (result->result)
        return gpu_fail(GPU_graph_update, "the graph has other nodes, or another order of them, than the instance");
    return take_work(own, other);
}

/* Up to version 11 two pointers take the node and the result. */
static int update_11(void *instance, void *graph, void **node, int *result)
{
    struct update_result found = {0};
    const int error = update(instance, graph, &found);
    if (node)
        *node = found.node;
    if (result)
        *result = found.result;
    return error;
}

RUNTIME_VERSION(cudaGraphExecUpdate, 11, (void *instance, void *graph, void **node, int *result),
                update_11(instance, graph, node, result))
RUNTIME_VERSION(cudaGraphExecUpdate, 13, (void *instance, void *graph, struct update_result *result),
                update(instance, graph, result ? result : &(struct update_result){0}))
SAME(cudaGraphExecUpdate_13, cudaGraphExecUpdate_12)
__asm__(".symver cudaGraphExecUpdate_11, cudaGraphExecUpdate@libcudart.so.11.0");
__asm__(".symver cudaGraphExecUpdate_12, cudaGraphExecUpdate@libcudart.so.12");
__asm__(".symver cudaGraphExecUpdate_13, cudaGraphExecUpdate@@libcudart.so.13");
