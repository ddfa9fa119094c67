/* Random PTX programs, and their execution as PTX and as machine code. */
#pragma once

#include "base/random.h"
#include "sass/file/kernel.h"
#include "test.h"

enum {
    THREADS = 64,
    WORDS = 24,
    BYTES = THREADS * WORDS * 4,
    UNIFORM_WORDS = 8 /* words of the launch, common to all threads */,
    ROOM = 1 << 18,
    SWEEP_BYTES = 1 << 16,
    SWEEP_SEED = 1
};

/* A program under construction. */
struct program {
    u64 state;
    char text[ROOM];
    size_t length;
    u32 labels;
    bool uniform; /* words, doublewords and predicates have equal values in all threads */
};

/* Makes kernel random(in, out): random statements, branches and loops. Each thread stores WORDS words. */
void program_make(struct program *program, u64 seed);

/* Makes kernels sweep0, sweep1, ... with each statement of statements.def. They store the result of each as consecutive doublewords
 * of 64 threads. */
void program_sweep(struct program *program, u64 seed);

/* Executes a launch of one block. count, if not NULL, receives the number of executions of each operation. */
typedef void program_count(void *context, const struct ws_program *program, const struct ws_kernel *kernel, const u64 *executed);
void program_run(const struct ws_program *program, const struct ws_ndrange *launch, program_count *count, void *context);

/* The same for a kernel with two pointers and UNIFORM_WORDS words as parameters; out has room for bytes. */
void program_execute(const struct ws_program *program, const char *kernel, u64 seed, void *out, size_t bytes, program_count *count,
                     void *context);

/* Compares instructions of the uniform datapath with their vector twins (twins.c), in the cubin of frame.ptx. */
void twins_compare(u32 architecture, program_count *count);

/* Compares the kernels of textures.ptx (textures.c). */
void textures_compare(const struct ws_program *ptx, const struct ws_program *machine, u32 architecture, program_count *count);
