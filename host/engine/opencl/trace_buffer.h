/* The traces of a batch, consecutive in one buffer of the device. */
#pragma once

#include "engine/opencl/program.h"
#include "shared/job.h"
#include "warpsweep/engine.h"

/* A job with its plan and the place of its result. */
struct ws_task {
    struct ws_job_spec spec; /* with the image that is simulated */
    struct ws_job_result *result;
    size_t number; /* in the caller's array */
    u64 shown;     /* cycles whose events have been delivered */
    struct ws_job job;
};

/* Bytes of the images of the tasks (those of one image adjacent) on the device. */
u64 ws_trace_bytes(const struct ws_task *tasks, size_t count);

/* Number of leading tasks (those of one image adjacent) whose traces together fit into so many bytes; at most count. */
size_t ws_batch_take(const struct ws_task *tasks, size_t count, u64 trace_bytes);

/* Copies the images into a new buffer and stores each task's offset. */
enum ws_status ws_trace_buffer_new(struct ws_cl *cl, struct ws_task *tasks, size_t count, struct ws_cl_buffer **buffer,
                                   struct ws_error *error);
