/* What accesses of threads may see of each other. */
#pragma once

#include "frontend/ptx/ir.h"

/* Marks as the beginning of a basic block every access whose order against an earlier one of the block may matter between threads:
 * both may touch the same memory, one of them writes. leads has one element per operation and holds the beginnings that there are.
 */
void ws_split_accesses(const struct ws_kernel *kernel, bool *leads);
