/* The static instructions of a kernel, collected from the records of its warps. */
#pragma once

#include "base/arena.h"
#include "import/read/input.h"
#include "shared/instruction.h"

/* No instruction, and no pc. */
#define SASS_NONE 0xFFFFFFFFu
/* Limit of pcs, in bytes. */
#define SASS_PC_MOST (1u << 24)
/* Registers of a thread, R0 to R255, then uniform registers, UR0 to UR63. The last of each is always zero. */
enum { SASS_UNIFORM = 256, SASS_REGISTERS = SASS_UNIFORM + 64, SASS_RZ = SASS_UNIFORM - 1, SASS_URZ = SASS_REGISTERS - 1 };

enum { SASS_WRITES = 16, SASS_READS = 16 };

struct sass_op {
    u32 pc;
    const char *text; /* common part of its records, "1 R6 LDG.E 1 R2", of length characters */
    size_t length;
    const char *opcode; /* the mnemonic with its modifiers */
    u8 class_, kind, space;
    u8 bytes;                              /* bytes per thread, for loads, stores and atomics */
    bool transfers;                        /* may continue elsewhere than at the next instruction */
    bool direct;                           /* always at the same place */
    u16 dst[SASS_WRITES], src[SASS_READS]; /* registers as named, then those implied by the width, without the zero registers */
    u32 writes, reads;
    u32 line;     /* source line; 0: unknown */
    bool known;   /* in the opcode table; otherwise treated as int */
    bool refused; /* kernels with it are not supported */
    u64 seen;     /* first line of the file that contains it */

    /* ---- Observations over the warps ---- */
    u64 records;    /* that show it */
    bool executed;  /* by some lane */
    bool addressed; /* has addresses */
    bool bare;      /* is executed without any */
    bool apart;     /* some warp executes it more than once */
    u64 outlived;   /* of an exit: number of lanes in its masks that continue after it */
    u64 warp;       /* last warp that executed it, from 1; 0 before the first */
    u32 spaces;     /* set of 1 << WS_SPACE_*: accessed spaces */
    u32 after;      /* farthest pc that threads execute next when they continue after it; 0: none do */
    u32 *targets;   /* pcs that threads execute directly after it */
    size_t target_count, target_room;
    u32 immediate; /* of a direct branch: its immediate target; SASS_NONE: unknown */
};

struct sass_code {
    struct ws_arena arena;
    struct sass_op *ops; /* in the order in which they were seen */
    size_t count, room;
    u32 *numbers; /* by pc / 8: index of ops, or SASS_NONE */
    size_t number_count;
    bool strict; /* an unknown opcode is an error */
};

void sass_code_free(struct sass_code *code);

/* The instruction at pc with the text at *at, which is advanced past it. Adds a new one; *op is valid until the next one is added.
 * Another text at a known pc is WS_STATUS_bad_input: functions with separate pcs are called, and their instructions cannot be told
 * apart. */
enum ws_status sass_code_find(struct sass_code *code, const struct sass_input *input, u32 pc, const char **at, struct sass_op **op,
                              struct ws_error *error);

/* Adds a target unless it is there; false when out of memory. */
bool sass_code_target(struct sass_code *code, struct sass_op *op, u32 pc);

/* ---- opcode.c, width.c: properties of an opcode ---- */

/* Sets the table's properties of op->opcode, and those derived from them. */
void sass_opcode_classify(struct sass_op *op);

/* Adds the registers that a width above 32 bits implies. */
void sass_width_complete(struct sass_op *op);

/* Bytes per thread, 1 to 16. */
u8 sass_width_bytes(const char *opcode);

/* Whether one of the dotted words after the mnemonic's first equals this. */
bool sass_has_part(const char *opcode, const char *part);
