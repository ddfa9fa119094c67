/* From OpenCL C to PTX by the embedded tools/cl2ptx and the installed clang; from CUDA C++ by nvcc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/status.h"

/* The sources of one program, all OpenCL C or all CUDA C++, compiled as one concatenated source. */
struct cli_sources {
    const char *const *files;
    size_t count;
    const char *const *options, *const *more; /* for the compiler, both NULL-terminated */
    bool offset;                              /* launches have a global offset, which get_global_id adds */
    const char *arch;                         /* target of CUDA C++ or machine code, "sm_80", or NULL */
    bool machine;                             /* make a cubin, even from FILE.ptx */
};

/* Whether files are OpenCL C (FILE.cl) or CUDA C++ (FILE.cu), by suffix. */
bool cli_is_opencl(const char *file);
bool cli_is_cuda(const char *file);

/* Compiles a program to PTX or a cubin. *ptx is newly allocated, *length bytes and a zero; the caller frees it. Compiler messages,
 * or what to install, go to stderr. Environment: CLANG and LIBCLC choose the compiler of OpenCL C, NVCC that of CUDA C++, PTXAS the
 * assembler of PTX. */
enum ws_status cli_compile(const struct cli_sources *sources, char **ptx, size_t *length, struct ws_error *error);
