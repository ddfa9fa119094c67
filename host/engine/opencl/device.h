/* Which OpenCL device, and how it runs the lanes. */
#pragma once

#include "engine/opencl/opencl_api.h"

struct ws_lane_form {
    const char *name;
    const char *macro; /* defined to choose it */
    u32 work_items;    /* of a simulation */
    const char *why;   /* it is tried on the devices that it suits */
    bool (*suits)(const struct ws_cl_device *device);
    const char *(*language)(const struct ws_cl_device *device); /* of -cl-std */
};

/* Picks from count devices: wanted is "gpu", "cpu", part of a device's or platform's name (in either case), or NULL for a GPU, else
 * the first. NULL with WS_STATUS_no_device, naming the devices there are. */
const struct ws_cl_device *ws_device_pick(const struct ws_cl_device *devices, size_t count, const char *wanted,
                                          struct ws_error *error);

/* The most registers that the compiler is to give a work-item of a pipeline's programs; 0 where it takes no limit. */
u32 ws_device_registers(const struct ws_cl_device *device, u32 pipeline);

/* Groups of 32 work-items that a compute unit of a GPU has room for at once: each work-item with so many registers, each group with
 * so many bytes of local memory; 0 where that is not known. Registers are given as NVIDIA's GPUs from compute capability 5.0 do: to
 * a work-item in eights, to groups in fours. */
u32 ws_device_groups(const struct ws_cl_device *device, u32 registers, u64 local_bytes);

/* The rows of lane_forms.def. */
enum {
#define LANE_FORM(name, capitals, work_items, suits, language, why) WS_LANE_FORM_##name,
#include "engine/lane_forms.def"
#undef LANE_FORM
    WS_LANE_FORMS
};
const struct ws_lane_form *ws_lane_forms(void);

/* The lane forms to try on a device, best first, and how many: those that suit it, or the one of the name that is wanted. None with
 * WS_STATUS_usage. */
u32 ws_lane_forms_pick(const struct ws_cl_device *device, const char *wanted, const struct ws_lane_form *forms[WS_LANE_FORMS],
                       struct ws_error *error);
