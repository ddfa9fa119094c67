/* From OpenCL C to PTX with the clang that is installed, by running tools/cl2ptx, which is embedded. */
#ifndef WS_CLI_COMPILE_H
#define WS_CLI_COMPILE_H

#include <stddef.h>

#include "warpsweep/status.h"

/* Compiles an OpenCL C file. *ptx is newly allocated, *length bytes and a zero; the caller frees it. The compiler's messages, or
 * what to install where none fits, go to stderr. The environment's CLANG and LIBCLC settle what to compile with. */
enum ws_status cli_compile(const char *source, char **ptx, size_t *length, struct ws_error *error);

#endif
