/* A kernel as threaded code, bound to the memory of one launch. */
#pragma once

#include "frontend/exec/step.h"

struct ws_code {
    struct ws_step *steps;
    struct ws_basic_block *blocks; /* in the order of the program; the first is where threads begin */
    u32 block_count;
    u32 slots; /* words of a thread: its slots and one unused */
};

/* Makes the code of a kernel. memory must not move while the code runs. lockstep: threads take turns by basic blocks, which then
 * hold no two accesses that depend on each other's order. To be freed by ws_code_free, also after an error. An operation without a
 * handler is a defect of warpsweep. */
enum ws_status ws_code_make(const struct ws_kernel *kernel, const struct ws_memory *memory, bool lockstep, struct ws_code *code,
                            struct ws_error *error);
void ws_code_free(struct ws_code *code);

/* Adds up how often each operation was executed since the last call, from the counts of basic blocks, which are reset. executed has
 * one element per operation; returns their sum. */
u64 ws_code_take_counts(struct ws_code *code, u64 *executed);
