/* Dependences between memory accesses of threads. */
#pragma once

#include "frontend/ptx/ir.h"

/* Memory that other threads may access: members of a set. */
enum { WS_OF_BLOCK = 1, WS_OF_GRID = 2 };

/* Memory that an operation reads and writes, if threads share it. */
struct ws_effect {
    u32 reads, writes;
};
struct ws_effect ws_effect_of(const struct ws_kernel *kernel, u32 n);

/* Marks accesses as starts of basic blocks: each whose order relative to an earlier access of the block may matter between threads,
 * because both may touch the same memory and one writes. leads: one element per operation, with the starts known so far. */
void ws_split_accesses(const struct ws_kernel *kernel, bool *leads);
