/* Runs a kernel's source as OpenCL does, for tests that compare it with the project's own execution of its PTX. */
#pragma once

#include "warpsweep/frontend.h"

/* Builds source as OpenCL C 1.2 for the first CPU device, runs the launch there and leaves what it wrote in the launch's buffers.
 * WS_STATUS_no_device where no platform has a CPU device, WS_STATUS_device where a call fails: the message names it. */
enum ws_status cl_run(const char *source, struct ws_ndrange *launch, struct ws_error *error);
