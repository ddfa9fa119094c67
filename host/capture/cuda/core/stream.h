/* Streams and events. A stream that is captured adds its work to a graph. */
#pragma once

#include "capture/cuda/core/task.h"

struct gpu_graph;

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

struct gpu_event {
    u32 flags;
    bool recorded;
    double seconds;          /* when */
    struct gpu_graph *graph; /* that it was last recorded into, or NULL */
    u32 node;                /* of the graph, plus 1 */
    struct gpu_event *next;
};

/* The default stream is 0 or one of two special numbers. NULL for what is no stream. */
struct gpu_stream *gpu_stream_find(void *handle);
struct gpu_stream *gpu_stream_make(u32 flags, int priority);
void gpu_stream_free(struct gpu_stream *stream);

/* NULL for what is no event. */
struct gpu_event *gpu_event_find(void *handle);
struct gpu_event *gpu_event_make(u32 flags);
void gpu_event_free(struct gpu_event *event);
void gpu_event_record(struct gpu_event *event);

/* Does the work, or adds it to the graph that the stream is captured into. */
int gpu_submit(void *stream, const struct gpu_task *task);
