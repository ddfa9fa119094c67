/* Kernels with known results (canary.cl): a compiler must pass them before its output is used. */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "warpsweep/status.h"

/* Executes the test kernels as compiled. *fault: description of a wrong result, empty if all are right. Errors of warpsweep itself
 * (memory, interrupt) are returned. */
enum ws_status cli_canary(const char *ptx, size_t length, struct ws_text *fault, struct ws_error *error);
