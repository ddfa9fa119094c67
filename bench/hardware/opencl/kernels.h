/* Kernels of the data set: OpenCL C generated from tables. */
#pragma once

#include <stddef.h>

struct kernel_row {
    char name[48];
    unsigned threads;    /* of its work-group */
    unsigned operations; /* of a thread between the clock reads of a turn */
    unsigned bytes;      /* of the buffer data */
    char *source;        /* a program with the kernel `kernel_under_test` */
};

/* All kernels; NULL if there is no memory. To be freed by kernels_free. */
struct kernel_row *kernels_make(size_t *count);
void kernels_free(struct kernel_row *rows, size_t count);

/* Turns of the timed loop. */
enum { KERNEL_TURNS = 8 };
