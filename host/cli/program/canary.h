/* Kernels with known results (canary.cl), which show whether a compiler is right before its output is believed. */
#pragma once

#include <stddef.h>

#include "base/text.h"
#include "warpsweep/status.h"

/* Executes the test kernels as compiled. *fault receives what is wrong with them, nothing where all is right. Errors are those of
 * the program itself (memory, an interrupt). */
enum ws_status cli_canary(const char *ptx, size_t length, struct ws_text *fault, struct ws_error *error);
