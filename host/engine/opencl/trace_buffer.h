/* The traces of a batch, one after the other in a buffer of the device. */
#pragma once

#include "engine/opencl/program.h"
#include "shared/job.h"
#include "warpsweep/engine.h"

/* A job on its way: what the caller gave, the plan, where its result goes. */
struct ws_task {
    struct ws_job_spec spec; /* with the image that it is simulated with */
    struct ws_job_result *result;
    size_t number; /* in the caller's array */
    u64 shown;     /* cycles whose events have been passed on */
    struct ws_job job;
};

/* Bytes of the images of the tasks (those of one image adjacent) on the device. */
u64 ws_trace_bytes(const struct ws_task *tasks, size_t count);

/* How many of the first tasks (those of one image adjacent) have traces that together fit into so many bytes; at most count. */
size_t ws_batch_take(const struct ws_task *tasks, size_t count, u64 trace_bytes);

/* Copies these images into a new buffer and tells each task where its image lies. */
enum ws_status ws_trace_buffer_new(struct ws_cl *cl, struct ws_task *tasks, size_t count, struct ws_cl_buffer **buffer,
                                   struct ws_error *error);
