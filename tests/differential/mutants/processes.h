/* Work that may crash or hang, each piece in a separate process. */
#pragma once

#include "shared/dialect.h"

/* Calls work(of[i]) for i from 0 to count - 1, each in a separate process that exits with its return value, one per core at a time.
 * status[i]: the status from wait. */
void in_processes(const u32 *of, u32 count, int (*work)(u32 n), int *status);
