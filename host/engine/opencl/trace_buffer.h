/* The traces of a wave, one after the other in a buffer of the device. */
#ifndef WS_ENGINE_OPENCL_TRACE_BUFFER_H
#define WS_ENGINE_OPENCL_TRACE_BUFFER_H

#include "engine/opencl/wave.h"

/* Bytes of the images of the tasks (those of one image adjacent) on the device. */
u64 ws_trace_bytes(const struct ws_task *tasks, size_t count);

/* Copies these images into a new buffer and tells each task where its image lies. */
enum ws_status ws_trace_buffer_new(struct ws_cl *cl, struct ws_task *tasks, size_t count, struct ws_cl_buffer **buffer,
                                   struct ws_error *error);

#endif
