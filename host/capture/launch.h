/* A launch in flight: its arguments, and the contents of its buffers before and, on request, after it. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"
#include "capture/objects.h"
#include "capture/opencl.h"

enum { CAPTURE_BUFFERS = 64, CAPTURE_REASON = 240, CAPTURE_WORDS = 160, CAPTURE_DIMENSIONS = 3 };

/* A buffer or image that arguments refer to; a whole buffer, if they are sub-buffers. */
struct capture_memory {
    cl_mem buffer;
    size_t bytes;
    const char *element; /* type in the launch file: the common type of all its arguments, else "u8" */
    bool diverged;       /* some refer to a part of it: offsets are in bytes */
    void *before, *after;
    bool is_image;
    size_t region[CAPTURE_DIMENSIONS]; /* of an image: texels along each dimension, */
    const char *format;                /* its channels, */
    char words[CAPTURE_WORDS];         /* and its description for the launch file */
};

struct capture_launch {
    u32 number;
    char *kernel, *source, *options;
    size_t global[CAPTURE_DIMENSIONS], local[CAPTURE_DIMENSIONS], offset[CAPTURE_DIMENSIONS];
    bool local_chosen;        /* left to the driver by the program */
    struct ws_text arguments; /* in the form of the launch file */
    struct capture_memory memories[CAPTURE_BUFFERS];
    u32 memory_count;
    bool has_after;
    cl_event reads[CAPTURE_BUFFERS];
    u32 read_count;
    atomic_uint left;            /* unfinished reads of the driver, plus one while reads are being enqueued */
    atomic_bool failed;          /* a read has */
    char reason[CAPTURE_REASON]; /* why it cannot be recorded; empty if it can */
    struct capture_launch *next;
};

/* The sizes of a launch, as clEnqueueNDRangeKernel takes them. */
struct capture_sizes {
    cl_uint dimensions;
    const size_t *offset, *global, *local;
};

/* Notes why a launch cannot be recorded; the first reason wins. Returns false. */
bool capture_refuse(struct capture_launch *launch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fill in program, sizes and arguments. False, with launch->reason, if they are not available. */
bool capture_program(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel);
bool capture_sizes(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes);
bool capture_arguments(struct capture_launch *launch, cl_kernel kernel);

/* In images.c: describes an image; adds a sampler to the arguments. False as above. */
bool capture_image(struct capture_launch *launch, cl_mem image, struct capture_memory *memory);
bool capture_sampler(struct capture_launch *launch, cl_sampler sampler);

/* Enqueue reads of all buffers, after the events. Only commands enqueued after launch->reads wait for them. */
bool capture_read(struct capture_launch *launch, cl_command_queue queue, cl_uint count, const cl_event *events, bool after);

/* In launch_file.c: writes a launch with its program and contents, once its reads are done. False, with launch->reason, on failure.
 */
bool capture_store(struct capture_launch *launch);

/* In options.c: adds options for a launch file. dropped receives unsupported ones. */
void capture_options(const char *text, struct ws_text *out, struct ws_text *dropped);

/* Frees a launch without pending reads. */
void capture_launch_free(struct capture_launch *launch);
