/* A program as basic blocks: a thread that enters one executes all of it. Basic blocks are the tokens of alignments. */
#pragma once

#include "warpsweep/trace.h"

struct limit_code {
    const struct ws_instruction *program;
    u32 count;    /* basic blocks, in program order */
    u32 *first;   /* count + 1 program counters: their starts, and the program's end */
    u32 *weights; /* instructions of each */
    u32 *guards;  /* guarded instructions of each */
    u32 *at;      /* by program counter: its basic block */
};

/* The basic blocks of an image's program, which must outlive them; to be freed by limit_code_free after success. A barrier is a
 * basic block of its own. */
enum ws_status limit_code_make(const struct ws_image *image, struct limit_code *code, struct ws_error *error);
void limit_code_free(struct limit_code *code);

/* Its last instruction, which decides where a thread continues. */
static inline const struct ws_instruction *limit_code_last(const struct limit_code *code, u32 token)
{
    return &code->program[code->first[token + 1] - 1];
}

static inline bool limit_code_is_barrier(const struct limit_code *code, u32 token)
{
    return WS_IS_BLOCK_BARRIER(limit_code_last(code, token));
}
