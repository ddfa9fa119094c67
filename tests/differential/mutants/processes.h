/* Work that may crash or hang, each piece in a process of its own. */
#ifndef WS_TESTS_PROCESSES_H
#define WS_TESTS_PROCESSES_H

#include "shared/dialect.h"

/* Calls work(n) for n from 0 to count - 1, each in a process of its own that exits with what it returns, as many at once as there
 * are cores. status[n] receives what wait says of it. */
void in_processes(u32 count, int (*work)(u32 n), int *status);

#endif
