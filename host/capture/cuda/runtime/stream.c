/* Streams and events. Work is done when it is submitted, so all streams are always idle. */
#include <string.h>

#include "capture/cuda/runtime/api.h"

/* ---- Streams ---- */

static int make_stream(void **to, unsigned flags, int priority)
{
    struct gpu_stream *const stream = gpu_stream_make(flags, priority);
    if (!to || flags > 1)
        return gpu_fail(GPU_value, "found flags %u, allowed are 0 and 1", flags);
    *to = stream;
    return stream ? GPU_none : GPU_memory;
}

static int with_stream(void *handle)
{
    return gpu_stream_find(handle) ? GPU_none : gpu_fail(GPU_handle, "%p is no stream", handle);
}

static int destroy_stream(void *handle)
{
    const int error = with_stream(handle);
    if (error == GPU_none)
        gpu_stream_free(gpu_stream_find(handle));
    return error;
}

/* Waiting is not allowed while the stream is captured. */
static int wait_stream(void *handle)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return with_stream(handle);
    return stream->graph ? gpu_fail(GPU_capture_unsupported, "the stream is being captured") : GPU_none;
}

RUNTIME(cudaStreamCreate, (void **stream), make_stream(stream, 0, 0))
RUNTIME(cudaStreamCreateWithFlags, (void **stream, unsigned flags), make_stream(stream, flags, 0))
RUNTIME(cudaStreamCreateWithPriority, (void **stream, unsigned flags, int priority), make_stream(stream, flags, priority))
RUNTIME(cudaStreamDestroy, (void *stream), destroy_stream(stream))
RUNTIME(cudaStreamSynchronize, (void *stream), wait_stream(stream))
SAME(cudaStreamSynchronize, cudaStreamSynchronize_ptsz)
RUNTIME(cudaStreamQuery, (void *stream), wait_stream(stream))
SAME(cudaStreamQuery, cudaStreamQuery_ptsz)

static int get_flags(void *handle, unsigned *flags)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return with_stream(handle);
    *flags = stream->flags;
    return GPU_none;
}

static int get_priority(void *handle, int *priority)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return with_stream(handle);
    *priority = stream->priority;
    return GPU_none;
}

static int get_id(void *handle, unsigned long long *id)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return with_stream(handle);
    *id = stream->id;
    return GPU_none;
}

static int get_device(void *handle, int *device)
{
    *device = 0;
    return with_stream(handle);
}

RUNTIME(cudaStreamGetFlags, (void *stream, unsigned *flags), get_flags(stream, flags))
SAME(cudaStreamGetFlags, cudaStreamGetFlags_ptsz)
RUNTIME(cudaStreamGetPriority, (void *stream, int *priority), get_priority(stream, priority))
SAME(cudaStreamGetPriority, cudaStreamGetPriority_ptsz)
RUNTIME(cudaStreamGetId, (void *stream, unsigned long long *id), get_id(stream, id))
SAME(cudaStreamGetId, cudaStreamGetId_ptsz)
RUNTIME(cudaStreamGetDevice, (void *stream, int *device), get_device(stream, device))
SAME(cudaStreamGetDevice, cudaStreamGetDevice_ptsz)
/* Attributes are hints for caches. */
RUNTIME(cudaStreamSetAttribute, (void *stream, int attribute, const void *value),
        attribute &&value ? with_stream(stream) : GPU_value)
SAME(cudaStreamSetAttribute, cudaStreamSetAttribute_ptsz)
RUNTIME(cudaStreamAttachMemAsync, (void *stream, void *address, size_t bytes, unsigned flags),
        gpu_memory_at(address) && flags && bytes + 1 ? with_stream(stream) : GPU_value)
SAME(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz)

typedef void callback(void *stream, int error, void *data);

static int add_callback(void *handle, callback *call, void *data)
{
    const int error = wait_stream(handle);
    if (error != GPU_none)
        return error;
    gpu_pause();
    call(handle, GPU_none, data);
    gpu_resume();
    return GPU_none;
}

RUNTIME(cudaStreamAddCallback, (void *stream, callback *call, void *data, unsigned flags),
        flags ? GPU_value : add_callback(stream, call, data))
SAME(cudaStreamAddCallback, cudaStreamAddCallback_ptsz)

static int get_range(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return GPU_none;
}

RUNTIME(cudaDeviceGetStreamPriorityRange, (int *least, int *greatest), get_range(least, greatest))

/* ---- Events ---- */

enum { EVENT_DISABLE_TIMING = 2 };

static int make_event(void **to, unsigned flags)
{
    struct gpu_event *const event = to ? gpu_event_make(flags) : NULL;
    if (!to)
        return gpu_fail(GPU_value, "found a null pointer for the result");
    *to = event;
    return event ? GPU_none : GPU_memory;
}

static int no_event(const void *handle)
{
    return gpu_fail(GPU_handle, "%p is no event", handle);
}

static int record(void *handle, void *stream_handle)
{
    struct gpu_event *const event = gpu_event_find(handle);
    const struct gpu_stream *const stream = gpu_stream_find(stream_handle);
    if (!event)
        return no_event(handle);
    if (!stream)
        return with_stream(stream_handle);
    event->graph = stream->graph;
    event->node = stream->last;
    if (stream->graph)
        return GPU_none; /* a mark in the graph; other streams may wait for it */
    gpu_event_record(event);
    return GPU_none;
}

/* A stream that waits for an event of a captured stream is captured, too. */
static int wait_event(void *handle, void *event_handle)
{
    struct gpu_stream *const stream = gpu_stream_find(handle);
    const struct gpu_event *const event = gpu_event_find(event_handle);
    if (!stream)
        return with_stream(handle);
    if (!event)
        return no_event(event_handle);
    if (!event->graph)
        return GPU_none;
    if (!stream->graph) {
        stream->graph = event->graph;
        stream->last = event->node;
        return GPU_none;
    }
    if (stream->graph != event->graph)
        return gpu_fail(GPU_capture_invalid, "the event belongs to another capture");
    if (!event->node || event->node == stream->last)
        return GPU_none;
    const struct gpu_task nothing = {.kind = GPU_TASK_nothing};
    struct gpu_node *const before[] = {stream->graph->nodes[event->node - 1],
                                       stream->graph->nodes[stream->last ? stream->last - 1 : event->node - 1]};
    const struct gpu_node *const join = gpu_graph_add(stream->graph, &nothing, before, 2);
    stream->last = join ? join->number + 1 : 0;
    return join ? GPU_none : GPU_memory;
}

static int destroy_event(void *handle)
{
    struct gpu_event *const event = gpu_event_find(handle);
    if (!event)
        return no_event(handle);
    gpu_event_free(event);
    return GPU_none;
}

static int elapsed(float *milliseconds, void *start, void *end)
{
    const struct gpu_event *const from = gpu_event_find(start), *const to = gpu_event_find(end);
    if (!from || !to)
        return no_event(from ? end : start);
    if (!from->recorded || !to->recorded || ((from->flags | to->flags) & EVENT_DISABLE_TIMING))
        return gpu_fail(GPU_handle, "an event was not recorded, or has no time (cudaEventDisableTiming)");
    *milliseconds = (float)(1e3 * (to->seconds - from->seconds));
    return GPU_none;
}

RUNTIME(cudaEventCreate, (void **event), make_event(event, 0))
RUNTIME(cudaEventCreateWithFlags, (void **event, unsigned flags), make_event(event, flags))
RUNTIME(cudaEventDestroy, (void *event), destroy_event(event))
RUNTIME(cudaEventRecord, (void *event, void *stream), record(event, stream))
SAME(cudaEventRecord, cudaEventRecord_ptsz)
RUNTIME(cudaEventRecordWithFlags, (void *event, void *stream, unsigned flags), flags <= 1 ? record(event, stream) : GPU_value)
SAME(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz)
RUNTIME(cudaStreamWaitEvent, (void *stream, void *event, unsigned flags), flags <= 1 ? wait_event(stream, event) : GPU_value)
SAME(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz)
RUNTIME(cudaEventQuery, (void *event), gpu_event_find(event) ? GPU_none : no_event(event))
RUNTIME(cudaEventSynchronize, (void *event), gpu_event_find(event) ? GPU_none : no_event(event))
RUNTIME(cudaEventElapsedTime, (float *milliseconds, void *start, void *end), elapsed(milliseconds, start, end))
SAME(cudaEventElapsedTime, cudaEventElapsedTime_v2)
