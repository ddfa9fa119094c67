#include "capture/cuda/core/stream.h"

#include <stdlib.h>

static struct gpu_stream standard, *streams;
static u64 last_id;

enum { LEGACY = 1, PER_THREAD = 2 };

struct gpu_stream *gpu_stream_find(void *handle)
{
    if ((uintptr_t)handle <= PER_THREAD)
        return &standard;
    for (struct gpu_stream *stream = streams; stream; stream = stream->next)
        if (stream == handle)
            return stream;
    return NULL;
}

struct gpu_stream *gpu_stream_make(u32 flags, int priority)
{
    struct gpu_stream *const stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (struct gpu_stream){.flags = flags, .priority = priority, .id = ++last_id, .next = streams};
    streams = stream;
    return stream;
}

void gpu_stream_free(struct gpu_stream *stream)
{
    struct gpu_stream **at = &streams;
    while (*at && *at != stream)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = stream->next;
    free(stream);
}

void gpu_stream_release(const struct gpu_graph *graph)
{
    for (struct gpu_stream *stream = streams; stream; stream = stream->next)
        if (stream->graph == graph) {
            stream->graph = NULL;
            stream->is_origin = false;
            stream->last = 0;
        }
}

int gpu_submit(void *handle, const struct gpu_task *task)
{
    struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return gpu_fail(GPU_handle, "%p is no stream", handle);
    if (!stream->graph)
        return gpu_task_run(task);
    struct gpu_node *const before = stream->last ? stream->graph->nodes[stream->last - 1] : NULL;
    const struct gpu_node *const node = gpu_graph_add(stream->graph, task, &before, before != NULL);
    if (!node)
        return GPU_memory;
    stream->last = node->number + 1;
    return GPU_none;
}
