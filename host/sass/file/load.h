/* Loading cubins. */
#pragma once

#include "sass/file/kernel.h"

/* Loads the bytes of a cubin as a program with a struct ws_sass_module as machine.module; name is for messages. Does not set
 * machine.place and the kernels' operations (exec/machine.h). A kernel that is not launchable has the reason in its failure. To be
 * freed by ws_program_free; bytes are not used afterwards. Damaged or relocatable files and unsupported architectures are
 * WS_STATUS_bad_input. */
enum ws_status ws_sass_load(const char *name, const u8 *bytes, size_t length, struct ws_program **program, struct ws_error *error);
