/* Loading cubins. */
#pragma once

#include "sass/file/kernel.h"

/* Loads the bytes of a cubin (name is for messages) as a program whose machine.module is a struct ws_sass_module; machine.place and
 * the kernels' operations are not set (exec/machine.h). What cannot be launched is told in the kernel's failure. To be freed by
 * ws_program_free; bytes are not used afterwards. Damaged files, relocatable ones and other architectures are WS_STATUS_bad_input.
 */
enum ws_status ws_sass_load(const char *name, const u8 *bytes, size_t length, struct ws_program **program, struct ws_error *error);
