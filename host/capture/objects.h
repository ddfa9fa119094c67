/* What the program has made: memory objects, samplers, programs, and kernels with their arguments. Handles are those of the driver;
 * one that is used again is a new object. Functions are safe in threads. */
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
    CAPTURE_HEADERS   /* compiled with headers that are programs */
};

void capture_object(const void *handle, enum capture_kind kind);
enum capture_kind capture_object_kind(const void *handle);

/* What a program is compiled from. */
struct capture_source {
    char *text, *options;
};
void capture_source_free(struct capture_source *source);

/* Gives a program a copy of its source, and returns one; {0} where there is none, or no memory. */
void capture_object_give(const void *program, struct capture_source source);
struct capture_source capture_object_source(const void *program);

/* An argument as clSetKernelArg was given it. */
struct capture_argument {
    bool given, svm; /* svm: a pointer of shared virtual memory */
    size_t bytes;
    void *value; /* NULL: local memory, or no buffer */
};

/* A new kernel, which has no arguments yet; a copy has those of another. */
void capture_kernel(const void *kernel);
void capture_kernel_copy(const void *kernel, const void *from);
void capture_kernel_argument(const void *kernel, u32 n, size_t bytes, const void *value, bool svm);

/* A copy of argument n, given = false where there is none or no memory for it. value is freed by the caller. */
struct capture_argument capture_kernel_get(const void *kernel, u32 n);
