/* Whether the lanes of a program communicate. */
#pragma once

#include "engine/opencl/program.h"

/* Lets the lanes try every collective on a few inputs; WS_STATUS_mismatch names the first that differs. A form of lanes that a
 * driver takes but does not understand shows here, where nothing waits for a result, and not as a simulation without end. */
enum ws_status ws_collectives_check(struct ws_cl *cl, const struct ws_device_program *program, struct ws_error *error);
