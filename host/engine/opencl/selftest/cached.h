/* Cached self-test results of a device's lane forms, for `list devices`. */
#pragma once

#include "base/text.h"
#include "engine/opencl/device.h"

/* Adds which of count lane forms is used on a device and why, from cached self-test results; nothing is built or run. */
void ws_cached_results_add_forms(const struct ws_cl_device *device, const struct ws_lane_form *const *forms, u32 count,
                                 struct ws_text *text);

/* The same for all forms that suit the device. */
void ws_cached_results_add(const struct ws_cl_device *device, struct ws_text *text);
