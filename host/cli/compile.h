/* From OpenCL C to PTX with the clang that is installed; the steps of tools/cl2ptx. */
#ifndef WS_CLI_COMPILE_H
#define WS_CLI_COMPILE_H

#include <stddef.h>

#include "warpsweep/status.h"

/* Compiles an OpenCL C file. *ptx is newly allocated, *length bytes and a zero; the caller frees it. The compiler's messages go to
 * stderr. The environment's CLANG and LIBCLC name another compiler and another folder of libclc. */
enum ws_status cli_compile(const char *source, char **ptx, size_t *length, struct ws_error *error);

#endif
