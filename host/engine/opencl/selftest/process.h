/* What a driver has not done before on a device is tried in a process of its own: if the driver crashes, it takes only that. */
#pragma once

#include "engine/opencl/opencl.h"

/* What is tried: opening the device, the alignment, or the variant of that number. */
enum { WS_SELF_TEST_open = WS_VARIANTS, WS_SELF_TEST_align };

/* The key of a trial that is no variant's in the cache. */
struct ws_binary_key ws_self_test_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 what);

/* Lets opencl->self_test_program try `what` in a lane form, unless there is none, the device is trusted or the cache knows that it
 * passed. What the self-test found is in the cache then. WS_STATUS_mismatch when it failed or the driver crashed, which the cache
 * remembers; WS_STATUS_interrupted; WS_STATUS_device when something else ended it. */
enum ws_status ws_self_test_process(const struct ws_opencl *opencl, const struct ws_lane_form *form, u32 what,
                                    struct ws_binary_key key, struct ws_error *error);
