/* Events: the time at which a stream comes to them. */
#pragma once

#include "capture/cuda/core/gpu.h"

struct gpu_graph;

struct gpu_event {
    u32 flags;
    bool recorded;
    double seconds;          /* when */
    struct gpu_graph *graph; /* that it was last recorded into, or NULL */
    u32 node;                /* of the graph, plus 1 */
    struct gpu_event *next;
};

/* NULL for what is no event. */
struct gpu_event *gpu_event_find(void *handle);
struct gpu_event *gpu_event_make(u32 flags);
void gpu_event_free(struct gpu_event *event);
void gpu_event_record(struct gpu_event *event);
