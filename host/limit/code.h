/* A program as its basic blocks: a thread that enters one executes all of it. They are the tokens that alignments match. */
#pragma once

#include "warpsweep/trace.h"

struct limit_code {
    const struct ws_instruction *program;
    u32 count;    /* basic blocks, by their place in the program */
    u32 *first;   /* count + 1 program counters: where each begins, and the program's end */
    u32 *weights; /* instructions of each */
    u32 *guards;  /* guarded instructions of each */
    u32 *at;      /* by program counter: the basic block that holds it */
};

/* The basic blocks of an image's program, which lives on; to be freed by limit_code_free unless that fails. A barrier of
 * the block is one of its own. */
enum ws_status limit_code_make(const struct ws_image *image, struct limit_code *code, struct ws_error *error);
void limit_code_free(struct limit_code *code);

/* Its last instruction, which says where a thread continues. */
static inline const struct ws_instruction *limit_code_last(const struct limit_code *code, u32 token)
{
    return &code->program[code->first[token + 1] - 1];
}

static inline bool limit_code_is_barrier(const struct limit_code *code, u32 token)
{
    return WS_IS_BLOCK_BARRIER(limit_code_last(code, token));
}
