/* Random kernels in the form of NVBit's tracer for Accel-Sim, and each thread's actions: the text is the importer's input, the
 * actions its expected result. Same options, same bytes, on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/instruction.h"

enum { MADE_LANES = 32, MADE_CASES = 3, MADE_OPS_MOST = 96, MADE_DEEPEST = 3 };

/* Bases of the windows of generic addresses, and shared memory of a block. */
#define MADE_SHARED_BASE  0x00007f1000000000u
#define MADE_LOCAL_BASE   0x00007f0e00000000u
#define MADE_SHARED_BYTES 4096u

struct made_options {
    u64 seed;
    const char *version; /* of the tracer: "1.2", "3" to "6" */
    u32 grid[3], block[3];
    u32 statements;   /* of the kernel's outermost block */
    bool raw;         /* records of all warps interleaved, with block and warp before each (.trace); else grouped (.traceg) */
    bool compress;    /* addresses by stride or differences where the tracer uses them; else all addresses */
    bool lines;       /* lines of the source before each pc, from version 4 on */
    bool crlf;        /* lines end in CR LF */
    bool open_end;    /* the last line has no end */
    bool taken_first; /* the taken path of a divergent branch runs first; else the other */
    bool indirect;    /* BRX with MADE_CASES targets, too */
    bool clusters;    /* from version 5 on, as NVBit 1.8: places in clusters, two immediates, uniform registers, values */
    const char *replaced[2]; /* a header key with its replaced value, if not NULL */
};

enum made_action { MADE_PLAIN, MADE_MEMORY, MADE_BRANCH, MADE_JUMP, MADE_INDIRECT, MADE_EXIT };

/* Places of an instruction's accesses. */
enum made_pattern { MADE_STRIDE, MADE_SCATTER, MADE_UNIFORM };

/* An instruction; its pc is 16 times its index. */
struct made_op {
    const char *opcode;
    u8 action, pattern, space, bytes; /* space WS_SPACE_none of an access is generic */
    bool guarded, loops;              /* loops: a backward branch, taken a few times in a row */
    u8 dst, src[2], writes, reads;
    u32 target[MADE_CASES], reconverge; /* indices */
};

/* An access of a thread; an offset for spaces other than global. */
struct made_access {
    u32 op;
    u8 space;
    u64 address;
};

struct made_thread {
    u64 executed; /* number of records with it in the mask */
    struct made_access *accesses;
    size_t count, room;
};

/* A record: a warp executes an instruction in the lanes of mask. */
struct made_record {
    u32 op, mask;
    u64 address[MADE_LANES]; /* as in the text: generic ones inside their windows */
};

struct made_warp {
    struct made_record *records;
    size_t count, room;
};

struct made_launch {
    struct made_options options;
    u32 ops, threads, warps, blocks; /* threads and warps of a block */
    struct made_op op[MADE_OPS_MOST];
    struct made_thread *thread; /* block after block */
    struct made_warp *warp;
};

/* Makes and executes a kernel. To be freed by made_free. NULL when out of memory. */
struct made_launch *made_launch(const struct made_options *options);
void made_free(struct made_launch *launch);

/* The file's text, not zero-terminated, of *length bytes; to be freed by the caller. NULL when out of memory. */
char *made_text(const struct made_launch *launch, size_t *length);

/* ---- Between the files of the generator ---- */

void made_program(struct made_launch *launch);
bool made_execute(struct made_launch *launch);
