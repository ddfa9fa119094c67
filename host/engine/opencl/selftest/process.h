/* Self-test process: what a driver has not done before on a device runs in a separate process, so that a crash of the driver ends
 * only that. */
#pragma once

#include "engine/opencl/opencl.h"

/* The self-tests: opening the device, the alignment, or the variant of that number. */
enum { WS_SELF_TEST_open = WS_VARIANTS, WS_SELF_TEST_align };

/* The cache key of a self-test other than a variant's. */
struct ws_binary_key ws_self_test_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 what);

/* Runs a self-test in a lane form by opencl->self_test_program, unless there is none, the device is trusted or the cache has a
 * passed result. The result is cached. WS_STATUS_mismatch if it failed or the driver crashed, also cached; WS_STATUS_interrupted;
 * WS_STATUS_device if the process ended otherwise. */
enum ws_status ws_self_test_process(const struct ws_opencl *opencl, const struct ws_lane_form *form, u32 what,
                                    struct ws_binary_key key, struct ws_error *error);
