/* Runs a kernel's source through OpenCL, to compare with the project's execution of its PTX. */
#pragma once

#include "warpsweep/frontend.h"

/* Builds source as OpenCL C 1.2 for the first CPU device, runs the launch there and copies results into the launch's buffers.
 * WS_STATUS_no_device without a CPU device, WS_STATUS_device for a failing call, which the message names. */
enum ws_status cl_run(const char *source, struct ws_ndrange *launch, struct ws_error *error);
