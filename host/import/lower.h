/* From the observations over the warps to the static program of a trace. */
#pragma once

#include "import/observe.h"

/* The lanes of a record that a trace instruction stands for, for comparison with the replay. */
enum sass_role {
    SASS_HELPS,    /* none: no counterpart in the file */
    SASS_ALL,      /* all that are active */
    SASS_TAKEN,    /* those with decision 1 */
    SASS_PASSED,   /* those with decision 0 */
    SASS_TAKEN_TOO /* lanes with decision 1 in the record of the instruction before */
};

/* An instruction of the file, in the order of pcs. */
struct sass_place {
    u32 op;                     /* number in the code */
    u32 first;                  /* its first instruction in the program */
    bool off;                   /* some threads have a false guard here */
    u32 *targets, target_count; /* target places, ascending; none unless it is an executed transfer */
};

/* An instruction of the program. */
struct sass_step {
    u32 place; /* its place; SASS_NONE: the exit after all places */
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

/* Lays out the program: instructions in the order of pcs; an instruction is guarded if some threads had a false guard. Guarded
 * barriers get a branch around them. Transfers to several targets become chains of branches, and accesses to several spaces one
 * instruction each. Branches reconverge at their immediate post-dominators, unless that is an exit that recorded warps reached more
 * than once. */
enum ws_status sass_lower(const struct sass_code *code, u32 entry, struct sass_program *program, struct ws_error *error);
void sass_program_free(struct sass_program *program);

/* Whether an instruction accesses memory with recorded addresses. */
bool sass_accesses(const struct sass_op *op);
