/* Work that may crash or hang, each piece in a process of its own. */
#pragma once

#include "shared/dialect.h"

/* Calls work(of[i]) for i from 0 to count - 1, each in a process of its own that exits with what it returns, as many at once as
 * there are cores. status[i] receives what wait says of it. */
void in_processes(const u32 *of, u32 count, int (*work)(u32 n), int *status);
