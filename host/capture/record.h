/* Launches in flight: recorded when the driver has read their buffers. */
#pragma once

#include "capture/launch.h"

/* A launch to record, with reads of its buffers enqueued. NULL: not selected, or not recordable; the list says why. The launch must
 * wait for its reads. */
struct capture_launch *capture_begin(cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes, cl_uint count,
                                     const cl_event *events);

/* The launch has been enqueued; done is its event. Enqueues reads of its results, if requested. */
void capture_enqueued(struct capture_launch *launch, cl_command_queue queue, cl_event done);

/* The driver has refused it. */
void capture_refused(struct capture_launch *launch, cl_int code);

/* Stores all launches whose reads are done. */
void capture_collect(void);
