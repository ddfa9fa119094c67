/* Machine code as a kernel that the front end executes. */
#pragma once

#include "sass/file/kernel.h"
#include "warpsweep/code.h"

/* Fills in a kernel of the program that owns arena: operations, inputs, the program of its trace. name, parameters and sizes are
 * there already. WS_STATUS_bad_input: it cannot be executed, with the place of the first instruction that is the reason. machine
 * must outlive the program. */
enum ws_status ws_sass_lower(const struct ws_sass_kernel *machine, struct ws_arena *arena, struct ws_kernel *kernel,
                             struct ws_error *error);

/* The code of a kernel of a program of machine code, as ws_sass_binary_code has it. */
enum ws_status ws_sass_code(struct ws_program *program, const char *kernel, const struct ws_machine_code **code,
                            struct ws_error *error);

/* Loads the bytes of a cubin as a program that ws_execute runs and ws_trace_build traces; a kernel that cannot be executed says why
 * when it is launched. To be freed by ws_program_free. Errors as those of ws_sass_load. */
enum ws_status ws_sass_program(const char *name, const u8 *bytes, size_t length, struct ws_program **program,
                               struct ws_error *error);
