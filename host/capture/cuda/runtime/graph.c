/* Graphs: captured from streams, or built node by node. */
#include <string.h>

#include "capture/cuda/runtime/api.h"

static int no_graph(const void *handle)
{
    return gpu_fail(GPU_value, "%p is no graph", handle);
}

/* ---- Capture of streams ---- */

static int begin_capture(void *handle, int mode)
{
    struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream || (uintptr_t)handle <= 1)
        return gpu_fail(GPU_capture_unsupported, "the default stream cannot be captured");
    if (stream->graph)
        return gpu_fail(GPU_capture_unsupported, "the stream is being captured");
    stream->graph = gpu_graph_make();
    stream->is_origin = true;
    stream->mode = (u32)mode;
    stream->last = 0;
    return stream->graph ? GPU_none : GPU_memory;
}

static int end_capture(void *handle, void **graph)
{
    struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream || !stream->graph || !stream->is_origin)
        return gpu_fail(GPU_value, "the stream is not being captured");
    *graph = stream->graph;
    gpu_stream_release(stream->graph);
    return GPU_none;
}

static int get_status(void *handle, int *status)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return gpu_fail(GPU_handle, "%p is no stream", handle);
    *status = stream->graph != NULL;
    return GPU_none;
}

static int exchange_mode(int *mode)
{
    static _Thread_local int current;
    const int old = current;
    current = *mode;
    *mode = old;
    return GPU_none;
}

RUNTIME(cudaStreamBeginCapture, (void *stream, int mode), begin_capture(stream, mode))
SAME(cudaStreamBeginCapture, cudaStreamBeginCapture_ptsz)
RUNTIME(cudaStreamEndCapture, (void *stream, void **graph), end_capture(stream, graph))
SAME(cudaStreamEndCapture, cudaStreamEndCapture_ptsz)
RUNTIME(cudaStreamIsCapturing, (void *stream, int *status), get_status(stream, status))
SAME(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz)
RUNTIME(cudaThreadExchangeStreamCaptureMode, (int *mode), exchange_mode(mode))

/* ---- Instances ---- */

static int instantiate(void **instance, void *handle)
{
    const struct gpu_graph *const graph = gpu_graph_find(handle, false);
    if (!graph)
        return no_graph(handle);
    struct gpu_graph *const copy = gpu_graph_clone(graph);
    if (!copy)
        return GPU_memory;
    copy->executable = true;
    *instance = copy;
    return GPU_none;
}

/* Up to version 11 the function has other arguments behind these two. */
RUNTIME(cudaGraphInstantiate, (void **instance, void *graph, unsigned long long flags),
        flags + 1 ? instantiate(instance, graph) : GPU_value)
RUNTIME(cudaGraphInstantiateWithFlags, (void **instance, void *graph, unsigned long long flags),
        flags + 1 ? instantiate(instance, graph) : GPU_value)

static int launch_graph(void *handle, void *stream)
{
    struct gpu_graph *const graph = gpu_graph_find(handle, true);
    const struct gpu_stream *const to = gpu_stream_find(stream);
    if (!graph || !to)
        return gpu_fail(GPU_value, "%p is no %s", graph ? stream : handle, graph ? "stream" : "executable graph");
    return to->graph ? gpu_uncovered("a graph launched in a captured stream") : gpu_graph_run(graph);
}

static int destroy(void *handle, bool executable)
{
    struct gpu_graph *const graph = gpu_graph_find(handle, executable);
    if (!graph)
        return no_graph(handle);
    gpu_graph_free(graph);
    return GPU_none;
}

RUNTIME(cudaGraphLaunch, (void *instance, void *stream), launch_graph(instance, stream))
SAME(cudaGraphLaunch, cudaGraphLaunch_ptsz)
RUNTIME(cudaGraphUpload, (void *instance, void *stream),
        gpu_graph_find(instance, true) && gpu_stream_find(stream) ? GPU_none : no_graph(instance))
SAME(cudaGraphUpload, cudaGraphUpload_ptsz)
RUNTIME(cudaGraphDestroy, (void *graph), destroy(graph, false))
RUNTIME(cudaGraphExecDestroy, (void *instance), destroy(instance, true))

/* ---- Building ---- */

static int make_graph(void **to, unsigned flags)
{
    *to = flags ? NULL : gpu_graph_make();
    return flags ? GPU_value : *to ? GPU_none : GPU_memory;
}

static int clone_graph(void **to, void *handle)
{
    const struct gpu_graph *const graph = gpu_graph_find(handle, false);
    if (!graph)
        return no_graph(handle);
    *to = gpu_graph_clone(graph);
    return *to ? GPU_none : GPU_memory;
}

RUNTIME(cudaGraphCreate, (void **graph, unsigned flags), make_graph(graph, flags))
RUNTIME(cudaGraphClone, (void **clone, void *graph), clone_graph(clone, graph))

static int add(void **node, void *handle, void *const *before, size_t count, const struct gpu_task *task)
{
    struct gpu_graph *const graph = gpu_graph_find(handle, false);
    if (!graph)
        return no_graph(handle);
    *node = gpu_graph_add(graph, task, (struct gpu_node *const *)before, (u32)count);
    return *node ? GPU_none : GPU_memory;
}

struct kernel_node {
    void *function;
    struct dim3 grid, block;
    unsigned shared;
    void **arguments, **extra;
};

/* attributes: those of the node, such as clusters, which its parameters do not have; or NULL. */
static int kernel_task(const struct kernel_node *from, const struct gpu_config *attributes, struct gpu_task *task)
{
    struct gpu_function *const function = runtime_function(from->function);
    struct gpu_config config = attributes ? *attributes : (struct gpu_config){0};
    memcpy(config.grid, &from->grid, sizeof config.grid);
    memcpy(config.block, &from->block, sizeof config.block);
    config.shared = from->shared;
    if (!function)
        return GPU_function;
    return from->arguments ? gpu_task_kernel(function, &config, from->arguments, task)
                           : gpu_uncovered("a graph's kernel with arguments in the form \"extra\"");
}

static int add_kernel(void **node, void *graph, void *const *before, size_t count, const struct kernel_node *from)
{
    struct gpu_task task = {0};
    int error = kernel_task(from, NULL, &task);
    if (error == GPU_none)
        error = add(node, graph, before, count, &task);
    gpu_task_free(&task);
    return error;
}

/* Replaces the work of a node. */
static int replace(struct gpu_node *node, struct gpu_task *task, int error)
{
    if (error == GPU_none) {
        gpu_task_free(&node->task);
        node->task = *task;
    } else {
        gpu_task_free(task);
    }
    return error;
}

static int set_kernel(struct gpu_node *node, const struct kernel_node *from)
{
    struct gpu_task task = {0};
    const int error = kernel_task(from, node->task.kind == GPU_TASK_kernel ? &node->task.config : NULL, &task);
    return replace(node, &task, error);
}

/* The node of an instance that came from a node of its graph. */
static struct gpu_node *node_of(void *instance, const struct gpu_node *node)
{
    const struct gpu_graph *const graph = gpu_graph_find(instance, true);
    return graph && node->number < graph->count ? graph->nodes[node->number] : NULL;
}

static int set_kernel_in(void *instance, const struct gpu_node *node, const struct kernel_node *from)
{
    struct gpu_node *const own = node_of(instance, node);
    return own ? set_kernel(own, from) : no_graph(instance);
}

RUNTIME(cudaGraphAddKernelNode, (void **node, void *graph, void *const *before, size_t count, const struct kernel_node *from),
        add_kernel(node, graph, before, count, from))
RUNTIME(cudaGraphKernelNodeSetParams, (struct gpu_node * node, const struct kernel_node *from), set_kernel(node, from))
RUNTIME(cudaGraphExecKernelNodeSetParams, (void *instance, struct gpu_node *node, const struct kernel_node *from),
        set_kernel_in(instance, node, from))

static int add_copy(void **node, void *graph, void *const *before, size_t count, void *to, const void *from, size_t bytes)
{
    const struct gpu_task task = {.kind = GPU_TASK_copy, .copy = {.from = from, .to = to, .width = bytes, .height = 1, .depth = 1}};
    const int error = gpu_copy_check(&task.copy);
    return error == GPU_none ? add(node, graph, before, count, &task) : error;
}

RUNTIME(cudaGraphAddMemcpyNode1D,
        (void **node, void *graph, void *const *before, size_t count, void *to, const void *from, size_t bytes, int direction),
        direction <= GPU_ANY ? add_copy(node, graph, before, count, to, from, bytes) : GPU_direction)

static int add_copy_3d(void **node, void *graph, void *const *before, size_t count, const struct gpu_copy_3d *from)
{
    struct gpu_task task = {.kind = GPU_TASK_copy};
    int error = runtime_copy_3d(from, &task.copy);
    if (error == GPU_none)
        error = gpu_copy_check(&task.copy);
    return error == GPU_none ? add(node, graph, before, count, &task) : error;
}

RUNTIME(cudaGraphAddMemcpyNode, (void **node, void *graph, void *const *before, size_t count, const struct gpu_copy_3d *from),
        add_copy_3d(node, graph, before, count, from))

struct fill_node {
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height; /* width in elements */
};

static int add_fill(void **node, void *graph, void *const *before, size_t count, const struct fill_node *from)
{
    const struct gpu_task task = {.kind = GPU_TASK_fill,
                                  .fill = {.to = from->to,
                                           .pitch = from->pitch,
                                           .width = from->width * from->element,
                                           .height = from->height,
                                           .depth = 1,
                                           .value = from->value,
                                           .element = from->element}};
    const int error = gpu_fill_check(&task.fill);
    return error == GPU_none ? add(node, graph, before, count, &task) : error;
}

RUNTIME(cudaGraphAddMemsetNode, (void **node, void *graph, void *const *before, size_t count, const struct fill_node *from),
        add_fill(node, graph, before, count, from))

struct call_node {
    void (*function)(void *data);
    void *data;
};

static int add_call(void **node, void *graph, void *const *before, size_t count, const struct call_node *from)
{
    const struct gpu_task task = {.kind = GPU_TASK_call, .call = from->function, .data = from->data};
    return add(node, graph, before, count, &task);
}

RUNTIME(cudaGraphAddHostNode, (void **node, void *graph, void *const *before, size_t count, const struct call_node *from),
        add_call(node, graph, before, count, from))

static int add_empty(void **node, void *graph, void *const *before, size_t count)
{
    const struct gpu_task task = {.kind = GPU_TASK_nothing};
    return add(node, graph, before, count, &task);
}

static int add_event(void **node, void *graph, void *const *before, size_t count, void *handle)
{
    const struct gpu_task task = {.kind = GPU_TASK_record, .event = gpu_event_find(handle)};
    return task.event ? add(node, graph, before, count, &task) : gpu_fail(GPU_handle, "%p is no event", handle);
}

static int add_child(void **node, void *graph, void *const *before, size_t count, void *handle)
{
    const struct gpu_graph *const child = gpu_graph_find(handle, false);
    const int error = child ? add_empty(node, graph, before, count) : no_graph(handle);
    if (error != GPU_none)
        return error;
    struct gpu_node *const made = *node;
    made->child = gpu_graph_clone(child);
    return made->child ? GPU_none : GPU_memory;
}

RUNTIME(cudaGraphAddEmptyNode, (void **node, void *graph, void *const *before, size_t count), add_empty(node, graph, before, count))
RUNTIME(cudaGraphAddEventRecordNode, (void **node, void *graph, void *const *before, size_t count, void *event),
        add_event(node, graph, before, count, event))
RUNTIME(cudaGraphAddEventWaitNode, (void **node, void *graph, void *const *before, size_t count, void *event),
        gpu_event_find(event) ? add_empty(node, graph, before, count) : gpu_fail(GPU_handle, "%p is no event", event))
RUNTIME(cudaGraphAddChildGraphNode, (void **node, void *graph, void *const *before, size_t count, void *child),
        add_child(node, graph, before, count, child))

/* ---- Questions ---- */

static int get_nodes(void *handle, void **nodes, size_t *count)
{
    const struct gpu_graph *const graph = gpu_graph_find(handle, false);
    size_t found = 0;
    if (!graph)
        return no_graph(handle);
    for (u32 n = 0; n < graph->count; n++) {
        if (graph->nodes[n]->removed)
            continue;
        if (nodes && found < *count)
            nodes[found] = graph->nodes[n];
        found++;
    }
    *count = found;
    return GPU_none;
}

static int get_type(const struct gpu_node *node, int *type)
{
    static const int types[] = {[GPU_TASK_kernel] = 0,  [GPU_TASK_copy] = 1,   [GPU_TASK_fill] = 2, [GPU_TASK_call] = 3,
                                [GPU_TASK_nothing] = 5, [GPU_TASK_record] = 7, [GPU_TASK_free] = 11};
    *type = node->child ? 4 : types[node->task.kind];
    return GPU_none;
}

RUNTIME(cudaGraphGetNodes, (void *graph, void **nodes, size_t *count), get_nodes(graph, nodes, count))
RUNTIME(cudaGraphNodeGetType, (struct gpu_node * node, int *type), get_type(node, type))
