/* Alignments on an OpenCL device. */
#pragma once

#include "engine/opencl/device.h"
#include "warpsweep/engine.h"

/* Builds the kernel in a lane form. To be freed by ws_cl_program_free. */
enum ws_status ws_align_program(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                struct ws_cl_program **program, struct ws_error *error);

/* Executes a batch with the program. */
enum ws_status ws_align_device(struct ws_cl *cl, const struct ws_cl_program *program, const struct ws_lane_form *form,
                               const struct ws_align_batch *batch, struct ws_error *error);
