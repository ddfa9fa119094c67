/* Whether a device lays out the shared structs as the host does. */
#pragma once

#include "engine/opencl/opencl_api.h"

/* Lets the device say sizes and offsets (shared/layout.def) and compares; WS_STATUS_mismatch names the first that differs. */
enum ws_status ws_layout_check(struct ws_cl *cl, const struct ws_cl_program *program, struct ws_error *error);
