/* Traces: one kernel launch as a static program and, for each thread, its decisions and addresses (docs/trace-format.md). */
#ifndef WARPSWEEP_TRACE_H
#define WARPSWEEP_TRACE_H

#include <stdbool.h>

#include "shared/image.h"
#include "warpsweep/code.h"
#include "warpsweep/status.h"

/* Properties of a launch that are known before any thread runs. Strings and arrays belong to the caller; a writer copies them. */
struct ws_launch {
    const char *kernel;    /* name of the kernel */
    const char *source;    /* origin of the program: a file's name, or a workload's name and size */
    u32 grid[3], block[3]; /* blocks of the grid and threads of a block in x, y, z; at least 1 each */
    u32 registers;         /* 32-bit registers that a thread needs, after allocation */
    u32 given_registers;   /* allocated by the SM, from the launch; 0: registers */
    u32 shared_bytes;      /* shared memory of a block */
    u32 instructions;      /* length of program, 1 to 65534 */
    const struct ws_instruction *program;
    const struct ws_machine_code *code; /* the program as machine code; NULL: it is PTX, or the code is not known */
    u32 lockstep; /* threads of a warp that executed in lockstep; 1: one after another; 0: unknown (files of version 2) */
    u32 segments; /* global buffers that threads may touch */
    const struct ws_segment *segment;
    u64 digest; /* XXH3 of program source and all inputs */
};

/* A range of global addresses. Segments are listed by ascending address and do not overlap. */
struct ws_segment {
    u64 base;  /* address, a multiple of 64 KB */
    u64 bytes; /* may be 0; base + bytes stays below 2^64 */
};

/* ---- Writing: one thread after another, block after block ---- */

struct ws_trace_writer;

/* Starts a trace file at path. The file appears at ws_trace_writer_close. *writer must be closed or dropped. */
enum ws_status ws_trace_writer_open(const char *path, const struct ws_launch *launch, struct ws_trace_writer **writer,
                                    struct ws_error *error);

/* Polls go_on from now on while threads are recorded; if it returns false, recording fails with WS_STATUS_interrupted. NULL stops
 * polling. */
void ws_trace_writer_watch(struct ws_trace_writer *writer, bool (*go_on)(void *context), void *context);

/* Completes the file and moves it to its path (atomically, by renaming). Frees writer in every case. */
enum ws_status ws_trace_writer_close(struct ws_trace_writer *writer, struct ws_error *error);

/* Removes the unfinished file and frees writer. NULL is allowed. */
void ws_trace_writer_drop(struct ws_trace_writer *writer);

/* ---- Reading ---- */

struct ws_trace;

/* Opens a trace file and checks its header, program and tables; streams are checked when they are read. */
enum ws_status ws_trace_open(const char *path, struct ws_trace **trace, struct ws_error *error);

/* Frees the trace; images loaded from it stay valid. NULL is allowed. */
void ws_trace_close(struct ws_trace *trace);

/* Checks a trace file to its last byte: WS_STATUS_bad_input says what is damaged. Streams are compared with their digests, not
 * decoded, which costs little more than reading the file. */
enum ws_status ws_trace_check(const char *path, struct ws_error *error);

/* The launch as written; belongs to the trace. */
const struct ws_launch *ws_trace_launch(const struct ws_trace *trace);

/* Digest of the contents (header, program, all streams): traces with one digest give equal simulations. */
u64 ws_trace_digest(const struct ws_trace *trace);

/* Instructions of all threads together: from the trace's tables, without its streams. */
enum ws_status ws_trace_thread_instructions(const struct ws_trace *trace, u64 *thread_instructions, struct ws_error *error);

/* Statistics shown by `trace info`: mix, divergence, coalescing. Ratios are NaN if nothing was counted. */
struct ws_trace_info {
    u64 threads, blocks, thread_instructions, accesses, decisions, file_bytes, footprint_bytes;
    u64 class_instructions[WS_CLASSES]; /* thread instructions by class */
    u64 guarded, guarded_off;           /* thread instructions with a guard, and those with guard false */
    double bytes_per_instruction;       /* file bytes per thread instruction */
    double mean_active_lanes;           /* thread instructions per warp instruction, warps of 32 with a reconvergence stack */
    double lines_per_access;            /* distinct 128-byte lines per global warp access, warps of 32 */
};

/* Counts of one instruction; warps of 32 with a reconvergence stack. */
struct ws_pc_count {
    u64 thread_instructions; /* guard false included */
    u64 warp_instructions;
    u64 accesses; /* warp accesses to global memory with at least one thread */
    u64 lines;    /* distinct 128-byte lines of each of them, added up */
};

/* Walks the whole trace. footprint_bytes counts distinct 32-byte granules of global memory. by_pc receives the counts of each
 * program counter; may be NULL. */
enum ws_status ws_trace_info(struct ws_trace *trace, struct ws_trace_info *info, struct ws_pc_count *by_pc, struct ws_error *error);

/* A trace (or a shard of one) in the form that simulations read; see shared/image.h. */
struct ws_image {
    u32 instructions, blocks, block_threads, groups_per_block, registers, shared_bytes;
    u64 digest;              /* ws_trace_digest and the shard: identity of the work */
    u64 thread_instructions; /* of the shard's threads */
    const struct ws_instruction *program;
    const struct ws_operands *operands; /* one per instruction: shared/operands.h */
    const struct ws_group *groups;
    const u32 *words;
    u64 word_count;
    u32 packets; /* 0: streams of threads; else pre-decoded for warps of so many threads (shared/packets.h) */
};

/* Loads the blocks b with b % of == shard, in order. spaces is a set of 1 << WS_SPACE_*: spaces whose accesses stay in the streams
 * (ws_machine_spaces); others are removed. Private, constant and texture accesses are words of 4 bytes, like those of shared
 * memory. Follows each thread's path through the program once; a contradiction is WS_STATUS_bad_input. Fails if the shard has no
 * block. To be freed by ws_image_free. */
enum ws_status ws_image_load(struct ws_trace *trace, u32 shard, u32 of, u32 spaces, struct ws_image **image,
                             struct ws_error *error);

/* Loads the first blocks only: as many as requested, at least one, or all. */
enum ws_status ws_image_load_first(struct ws_trace *trace, u64 blocks, u32 spaces, struct ws_image **image, struct ws_error *error);

void ws_image_free(struct ws_image *image);

/* Assigns control bits to a program without machine code, as a compiler does within basic blocks: no result is read too early. The
 * units of the operands are given. (Latencies: Mesa's NAK.) */
void ws_operands_assign(const struct ws_instruction *program, u32 count, struct ws_operands *operands);

#endif
