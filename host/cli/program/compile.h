/* From OpenCL C to PTX with the clang that is installed, by running tools/cl2ptx, which is embedded; from CUDA C++ with nvcc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/status.h"

/* The sources of one program, all OpenCL C or all CUDA C++, compiled as if each were the continuation of the one before. */
struct cli_sources {
    const char *const *files;
    size_t count;
    const char *const *options, *const *more; /* of the compiler, both NULL-terminated */
    bool offset;                              /* launches have a global offset, which OpenCL's get_global_id adds */
    const char *arch;                         /* that CUDA C++ or machine code is made for, "sm_80", or NULL */
    bool machine;                             /* a cubin is made, of FILE.ptx too */
};

/* Whether files are OpenCL C (FILE.cl), CUDA C++ (FILE.cu), by the end of their names. */
bool cli_is_opencl(const char *file);
bool cli_is_cuda(const char *file);

/* Compiles a program to PTX or a cubin. *ptx is newly allocated, *length bytes and a zero; the caller frees it. The compiler's
 * messages, or what to install where none fits, go to stderr. The environment's CLANG and LIBCLC settle what OpenCL C is compiled
 * with, NVCC what CUDA C++ is, PTXAS what makes machine code of PTX. */
enum ws_status cli_compile(const struct cli_sources *sources, char **ptx, size_t *length, struct ws_error *error);
