/* The static instructions of a kernel, as the records of its warps show them. */
#pragma once

#include "base/arena.h"
#include "import/read/input.h"
#include "shared/instruction.h"

/* No instruction, and no pc. */
#define SASS_NONE 0xFFFFFFFFu
/* A pc is below this; it counts bytes. */
#define SASS_PC_MOST (1u << 24)
/* Registers of a thread, R0 to R255, then those that all threads of a warp share, UR0 to UR63. The last of each is always zero. */
enum { SASS_UNIFORM = 256, SASS_REGISTERS = SASS_UNIFORM + 64, SASS_RZ = SASS_UNIFORM - 1, SASS_URZ = SASS_REGISTERS - 1 };

enum { SASS_WRITES = 16, SASS_READS = 16 };

struct sass_op {
    u32 pc;
    const char *text; /* what its records have in common, "1 R6 LDG.E 1 R2", of length characters */
    size_t length;
    const char *opcode; /* the mnemonic with its modifiers */
    u8 class_, kind, space;
    u8 bytes;                              /* that each thread accesses; of loads, stores and atomics */
    bool transfers;                        /* goes elsewhere than to the next instruction */
    bool direct;                           /* always to the same place */
    u16 dst[SASS_WRITES], src[SASS_READS]; /* registers as given, then those that the width adds, without those that are zero */
    u32 writes, reads;
    u32 line;     /* of the source; 0: not known */
    bool known;   /* the table has the opcode; else it is an int */
    bool refused; /* a kernel with it is not supported */
    u64 seen;     /* line of the file that shows it first */

    /* ---- What the warps show ---- */
    u64 records;    /* that show it */
    bool executed;  /* by some lane */
    bool addressed; /* has addresses */
    bool bare;      /* is executed without any */
    bool apart;     /* some warp executes it more than once */
    u64 outlived;   /* of an exit: how many lanes of its masks continue behind it */
    u64 warp;       /* number of the warp that executed it last, from 1; 0 before the first */
    u32 spaces;     /* set of 1 << WS_SPACE_*: where they lie */
    u32 after;      /* the farthest pc that threads execute next when they continue behind it; 0: none do */
    u32 *targets;   /* pcs that threads, having executed it, execute next */
    size_t target_count, target_room;
    u32 immediate; /* of a direct branch: where it says it goes; SASS_NONE: unknown */
};

struct sass_code {
    struct ws_arena arena;
    struct sass_op *ops; /* in the order in which they were seen */
    size_t count, room;
    u32 *numbers; /* by pc / 8: index of ops, or SASS_NONE */
    size_t number_count;
    bool strict; /* an opcode that the table lacks is an error */
};

void sass_code_free(struct sass_code *code);

/* The instruction at pc whose text begins at *at, which is moved behind it. Adds it when it is new; *op stays valid until the next
 * one is added. A text that the pc did not
 * have before is WS_STATUS_bad_input: functions that are called have pcs of their own, and cannot be told apart. */
enum ws_status sass_code_find(struct sass_code *code, const struct sass_input *input, u32 pc, const char **at, struct sass_op **op,
                              struct ws_error *error);

/* Adds a target unless it is there; false when out of memory. */
bool sass_code_target(struct sass_code *code, struct sass_op *op, u32 pc);

/* ---- opcode.c, width.c: what an opcode says ---- */

/* Sets what the table says of op->opcode, and what follows from it. */
void sass_opcode_classify(struct sass_op *op);

/* Adds the registers that a width of more than 32 bits takes beside those that are named. */
void sass_width_complete(struct sass_op *op);

/* Bytes that each thread accesses, 1 to 16. */
u8 sass_width_bytes(const char *opcode);

/* Whether one of the dotted parts behind the mnemonic's first is exactly this. */
bool sass_has_part(const char *opcode, const char *part);
