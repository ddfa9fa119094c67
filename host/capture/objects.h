/* Objects of the program: memory objects, samplers, programs, and kernels with their arguments. Handles are the driver's; a reused
 * handle is a new object. The functions are thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"

enum capture_kind {
    CAPTURE_UNKNOWN,
    CAPTURE_BUFFER,
    CAPTURE_IMAGE,
    CAPTURE_PIPE,
    CAPTURE_SAMPLER,
    CAPTURE_BINARY,   /* a program from binaries; */
    CAPTURE_IL,       /* from an intermediate language; */
    CAPTURE_BUILT_IN, /* of kernels that the driver has; */
    CAPTURE_LINKED,   /* linked of others; */
    CAPTURE_HEADERS   /* compiled with programs as headers */
};

void capture_object(const void *handle, enum capture_kind kind);
enum capture_kind capture_object_kind(const void *handle);

/* Source and options of a program. */
struct capture_source {
    char *text, *options;
};
void capture_source_free(struct capture_source *source);

/* Gives a program a copy of its source, and returns one; {0} if there is none, or no memory. */
void capture_object_give(const void *program, struct capture_source source);
struct capture_source capture_object_source(const void *program);

/* An argument as passed to clSetKernelArg. */
struct capture_argument {
    bool given, svm; /* svm: a pointer of shared virtual memory */
    size_t bytes;
    void *value; /* NULL: local memory, or no buffer */
};

/* A new kernel, without arguments; a clone has those of its original. */
void capture_kernel(const void *kernel);
void capture_kernel_copy(const void *kernel, const void *from);
void capture_kernel_argument(const void *kernel, u32 n, size_t bytes, const void *value, bool svm);

/* A copy of argument n; given = false without one, or without memory. The caller frees value. */
struct capture_argument capture_kernel_get(const void *kernel, u32 n);
