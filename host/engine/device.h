/* Which OpenCL device, and how it runs the lanes. */
#ifndef WS_ENGINE_DEVICE_H
#define WS_ENGINE_DEVICE_H

#include "engine/opencl_api.h"

struct ws_lane_form {
    const char *name;
    const char *macro; /* defined to choose it */
    u32 work_items;    /* of a simulation */
};

/* Picks from count devices: wanted is "gpu", "cpu", part of a device's or platform's name (in either case), or NULL for a GPU, else
 * the first. NULL with WS_STATUS_no_device, naming the devices there are. */
const struct ws_cl_device *ws_device_pick(const struct ws_cl_device *devices, size_t count, const char *wanted,
                                          struct ws_error *error);

/* The lane form of that name, or for NULL what suits the device. NULL with WS_STATUS_usage. */
const struct ws_lane_form *ws_lane_form_pick(const struct ws_cl_device *device, const char *wanted, struct ws_error *error);

#endif
