/* From what the warps show to the static program of a trace. */
#pragma once

#include "import/observe.h"

/* Which lanes of a warp an instruction of the trace stands for in a record: what the replay is compared with. */
enum sass_role {
    SASS_HELPS,    /* of none: it has no counterpart in the file */
    SASS_ALL,      /* all that are active */
    SASS_TAKEN,    /* those with decision 1 */
    SASS_PASSED,   /* those with decision 0 */
    SASS_TAKEN_TOO /* those with decision 1, in the record of the instruction before */
};

/* An instruction of the file, in the order of pcs. */
struct sass_place {
    u32 op;                     /* number in the code */
    u32 first;                  /* instruction of the program that it begins with */
    bool off;                   /* threads come to it with a guard that is false */
    u32 *targets, target_count; /* places, ascending; none unless it transfers and is executed */
};

/* An instruction of the program. */
struct sass_step {
    u32 place; /* that it is part of; SASS_NONE: the exit behind all places */
    enum sass_role role;
};

/* Starts as {0}; freed by sass_program_free. */
struct sass_program {
    struct ws_arena arena;
    struct sass_place *places;
    u32 place_count;
    u32 *place_of; /* by number in the code */
    struct ws_instruction *instructions;
    struct sass_step *steps;
    u32 count;
    u32 lost_registers;                 /* operands for which a trace has no room */
    const struct ws_machine_code *code; /* attach.h; NULL: not known */
    u32 unknown;                        /* instructions whose words are not known there */
};

/* Lays the program out: instructions in the order of pcs; one that threads come to with a false guard is guarded. Guarded barriers
 * have a branch around them, transfers to several targets are chains of branches, and accesses of several memories are one
 * instruction for each. Branches reconverge at their immediate post-dominators, unless that is an exit that recorded warps come to
 * more than once. */
enum ws_status sass_lower(const struct sass_code *code, u32 entry, struct sass_program *program, struct ws_error *error);
void sass_program_free(struct sass_program *program);

/* Whether an instruction accesses memory, and with addresses. */
bool sass_accesses(const struct sass_op *op);
