/* The driver below the layer. The only part of the layer that includes <CL/...>. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl_layer.h>

/* The driver's own table of calls, from before the layer was inserted. */
extern struct _cl_icd_dispatch capture_driver;
