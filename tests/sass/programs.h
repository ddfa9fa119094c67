/* PTX programs of a test, and their execution as PTX and as machine code. */
#pragma once

#include "base/random.h"
#include "sass/file/kernel.h"
#include "test.h"

enum {
    THREADS = 64,
    WORDS = 24,
    BYTES = THREADS * WORDS * 4,
    UNIFORM_WORDS = 8 /* that the launch gives all threads */,
    ROOM = 1 << 18,
    SWEEP_BYTES = 1 << 16,
    SWEEP_SEED = 1
};

/* Text of a program that is being made. */
struct program {
    u64 state;
    char text[ROOM];
    size_t length;
    u32 labels;
    bool uniform; /* words, doublewords and predicates are the same in all threads */
};

/* Kernel random(in, out): random statements, branches and loops. It leaves WORDS words for each thread. */
void program_make(struct program *program, u64 seed);

/* Kernels sweep0, sweep1 and so on: each statement of statements.def, and what it leaves, doublewords of 64 threads behind one
 * another. */
void program_sweep(struct program *program, u64 seed);

/* Executes a kernel of two pointers and UNIFORM_WORDS words in one block; out has bytes. How often each of its operations is
 * executed is given to count, which may be NULL. */
typedef void program_count(void *context, const struct ws_program *program, const struct ws_kernel *kernel, const u64 *executed);
void program_execute(const struct ws_program *program, const char *kernel, u64 seed, void *out, size_t bytes, program_count *count,
                     void *context);

/* Compares instructions of the uniform datapath with those of the other one (twins.c), with the cubin of frame.ptx. */
void twins_compare(u32 architecture, program_count *count);
