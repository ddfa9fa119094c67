/* Building traces in memory for tests: a program, then decisions and accesses of threads in any order. */
#pragma once

#include <stdbool.h>

#include "shared/machine.h"
#include "warpsweep/trace.h"

struct thread_streams {
    u8 *decisions; /* one bit each */
    u32 *accesses;
    size_t decision_count, access_count;
};

struct image_build {
    u32 blocks, block_threads, registers, shared_bytes;
    struct ws_instruction *program;
    struct ws_operands *operands; /* of as many instructions as operand_count says; those of others are ws_operands_of */
    u32 instructions, operand_count;
    struct thread_streams *streams; /* blocks * block_threads */
};

/* Starts a trace without instructions. To be freed by image_build_free. */
void image_build_start(struct image_build *build, u32 blocks, u32 block_threads);
void image_build_free(struct image_build *build);

/* Appends an instruction and returns its program counter. */
u32 add_instruction(struct image_build *build, struct ws_instruction instruction);
u32 add_alu(struct image_build *build);
u32 add_memory(struct image_build *build, u32 class_, u32 space);
u32 add_branch(struct image_build *build, u32 target, u32 reconverge);
u32 add_jump(struct image_build *build, u32 target);
u32 add_barrier(struct image_build *build);
u32 add_exit(struct image_build *build);

void add_decision(struct image_build *build, u32 block, u32 thread, bool decision);
void add_access(struct image_build *build, u32 block, u32 thread, u32 address);

/* Lays out the trace as in shared/image.h, with streams of minimal length. To be freed by image_free. */
struct ws_image *image_build_finish(const struct image_build *build);
void image_free(struct ws_image *image);

/* The defaults of parameters.def. */
void machine_defaults(struct ws_machine *machine);
