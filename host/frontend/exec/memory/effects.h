/* Dependences between memory accesses of threads. */
#pragma once

#include "frontend/ptx/ir.h"

/* Marks accesses as starts of basic blocks: each whose order relative to an earlier access of the block may matter between threads,
 * because both may touch the same memory and one writes. leads: one element per operation, with the starts known so far. */
void ws_split_accesses(const struct ws_kernel *kernel, bool *leads);
