/* Streams. A stream that is captured adds its work to a graph. */
#pragma once

#include "capture/cuda/core/event.h"
#include "capture/cuda/core/graph.h"

struct gpu_stream {
    u32 flags;
    int priority;
    u64 id;
    struct gpu_graph *graph; /* that it is captured into, or NULL */
    bool is_origin;          /* the capture began here */
    u32 mode;
    u32 last; /* node of the graph that its next work follows, plus 1; 0: none */
    struct gpu_stream *next;
};

/* The default stream is 0 or one of two special numbers. NULL for what is no stream. */
struct gpu_stream *gpu_stream_find(void *handle);
struct gpu_stream *gpu_stream_make(u32 flags, int priority);
void gpu_stream_free(struct gpu_stream *stream);

/* Ends the capture into a graph, of all streams that take part. */
void gpu_stream_release(const struct gpu_graph *graph);

/* Does the work, or adds it to the graph that the stream is captured into. */
int gpu_submit(void *stream, const struct gpu_task *task);
