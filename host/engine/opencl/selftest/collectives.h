/* Self-test of the communication between a program's lanes. */
#pragma once

#include "engine/opencl/program.h"

/* Runs every collective on a few inputs; WS_STATUS_mismatch names the first difference. A lane form that a driver accepts but
 * miscompiles fails here, where no lane waits for a result, and not as an endless simulation. */
enum ws_status ws_collectives_check(struct ws_cl *cl, const struct ws_device_program *program, struct ws_error *error);
