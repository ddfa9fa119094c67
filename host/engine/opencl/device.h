/* Selection of an OpenCL device, and its lane forms. */
#pragma once

#include "engine/opencl/opencl_api.h"

struct ws_lane_form {
    const char *name;
    const char *macro; /* defined to select it */
    u32 work_items;    /* of a simulation */
    const char *why;   /* why it is tried on the devices that it suits */
    bool (*suits)(const struct ws_cl_device *device);
    const char *(*language)(const struct ws_cl_device *device); /* of -cl-std */
};

/* Selects from count devices: wanted is "gpu", "cpu", part of a device's or platform's name (case-insensitive), or NULL for a GPU,
 * else the first. NULL with WS_STATUS_no_device, listing the devices. */
const struct ws_cl_device *ws_device_pick(const struct ws_cl_device *devices, size_t count, const char *wanted,
                                          struct ws_error *error);

/* Register limit for a work-item of a pipeline's programs; 0 if the compiler takes no limit. */
u32 ws_device_registers(const struct ws_cl_device *device, u32 pipeline);

/* Groups of 32 work-items that a compute unit of a GPU holds at once, with so many registers for each work-item and so many bytes
 * of local memory for each group; 0 if unknown. Registers are allocated as on NVIDIA GPUs from compute capability 5.0: in units of
 * eight for a work-item, of four warps for a group. */
u32 ws_device_groups(const struct ws_cl_device *device, u32 registers, u64 local_bytes);

/* The rows of lane_forms.def. */
enum {
#define LANE_FORM(name, capitals, work_items, suits, language, why) WS_LANE_FORM_##name,
#include "engine/lane_forms.def"
#undef LANE_FORM
    WS_LANE_FORMS
};
const struct ws_lane_form *ws_lane_forms(void);

/* The lane forms to try on a device, best first, and their number: those that suit it, or the requested one. None with
 * WS_STATUS_usage. */
u32 ws_lane_forms_pick(const struct ws_cl_device *device, const char *wanted, const struct ws_lane_form *forms[WS_LANE_FORMS],
                       struct ws_error *error);
