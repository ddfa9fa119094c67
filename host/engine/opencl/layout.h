/* Check that a device lays out the shared structs as the host does. */
#pragma once

#include "engine/opencl/opencl_api.h"

/* Reads sizes and offsets (shared/layout.def) from the device and compares; WS_STATUS_mismatch names the first difference. */
enum ws_status ws_layout_check(struct ws_cl *cl, const struct ws_cl_program *program, struct ws_error *error);
