/* Machine code of an imported program. */
#pragma once

#include "import/lower.h"
#include "warpsweep/code.h"

/* The code of the kernel in a cubin, and names for messages. */
struct sass_cubin {
    const struct ws_machine_code *code; /* every word from the kernel's first on; NULL: there is none */
    const char *name, *kernel, *trace;  /* of the cubin's file, the kernel, the imported file */
};

/* Gives the instructions of the program the code at their pcs, and the registers of that code instead of the recorded ones. Sets
 * program->code, and program->unknown to the number of instructions with an unknown word: they keep their recorded registers, and
 * their opcode is the text. WS_STATUS_bad_input names the first pc with another opcode, or with a recorded register that the code
 * does not name there. */
enum ws_status sass_attach(const struct sass_cubin *cubin, const struct sass_code *code, struct sass_program *program,
                           struct ws_error *error);
