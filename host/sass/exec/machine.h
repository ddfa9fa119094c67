/* Machine code as a kernel of the front end. */
#pragma once

#include "sass/file/kernel.h"
#include "warpsweep/code.h"

/* Fills in a kernel of the program that owns arena: operations, inputs, and the program of its trace. name, parameters and sizes
 * are already set. WS_STATUS_bad_input: the kernel is not executable; the message has the place of the first refused instruction.
 * machine must outlive the program. */
enum ws_status ws_sass_lower(const struct ws_sass_kernel *machine, struct ws_arena *arena, struct ws_kernel *kernel,
                             struct ws_error *error);

/* The code of a kernel in a machine-code program, in the form of ws_sass_binary_code. */
enum ws_status ws_sass_code(struct ws_program *program, const char *kernel, const struct ws_machine_code **code,
                            struct ws_error *error);

/* Loads the bytes of a cubin as a program for ws_execute and ws_trace_build. The launch of a kernel that is not executable fails
 * with the reason. To be freed by ws_program_free. Errors are those of ws_sass_load. */
enum ws_status ws_sass_program(const char *name, const u8 *bytes, size_t length, struct ws_program **program,
                               struct ws_error *error);
