/* One launch under way: what it was given, what its buffers have before it and, where that is asked for, after it. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"
#include "capture/objects.h"
#include "capture/opencl.h"

enum { CAPTURE_BUFFERS = 64, CAPTURE_REASON = 240, CAPTURE_WORDS = 160, CAPTURE_DIMENSIONS = 3 };

/* A buffer or image that arguments lead to; of buffers a whole one, of which sub-buffers are parts. */
struct capture_memory {
    cl_mem buffer;
    size_t bytes;
    const char *element; /* as launch files have it: what all arguments that lead there have, else "u8" */
    bool diverged;       /* some lead to a part of it: offsets are in bytes */
    void *before, *after;
    bool is_image;
    size_t region[CAPTURE_DIMENSIONS]; /* of an image: texels along each, */
    const char *format;                /* its channels, */
    char words[CAPTURE_WORDS];         /* and what it is like, for the launch file */
};

struct capture_launch {
    u32 number;
    char *kernel, *source, *options;
    size_t global[CAPTURE_DIMENSIONS], local[CAPTURE_DIMENSIONS], offset[CAPTURE_DIMENSIONS];
    bool local_chosen;        /* the program leaves it to the driver */
    struct ws_text arguments; /* as the launch file has them */
    struct capture_memory memories[CAPTURE_BUFFERS];
    u32 memory_count;
    bool has_after;
    cl_event reads[CAPTURE_BUFFERS];
    u32 read_count;
    atomic_uint left;            /* reads that the driver has not finished, and one while reads are being enqueued */
    atomic_bool failed;          /* a read has */
    char reason[CAPTURE_REASON]; /* why it cannot be recorded; empty: it can */
    struct capture_launch *next;
};

/* The sizes of a launch, as clEnqueueNDRangeKernel takes them. */
struct capture_sizes {
    cl_uint dimensions;
    const size_t *offset, *global, *local;
};

/* Says why a launch cannot be recorded; the first reason stays. Returns false. */
bool capture_refuse(struct capture_launch *launch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fill in the program, the sizes and the arguments; false with launch->reason where they cannot be had. */
bool capture_program(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel);
bool capture_sizes(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes);
bool capture_arguments(struct capture_launch *launch, cl_kernel kernel);

/* In images.c: what an image is like; adds a sampler to the arguments. False as above. */
bool capture_image(struct capture_launch *launch, cl_mem image, struct capture_memory *memory);
bool capture_sampler(struct capture_launch *launch, cl_sampler sampler);

/* Enqueue reads of all buffers, behind the events; nothing waits for them but what is enqueued with launch->reads. */
bool capture_read(struct capture_launch *launch, cl_command_queue queue, cl_uint count, const cl_event *events, bool after);

/* In launch_file.c: writes a launch, whose reads are done, with its program and contents; false with launch->reason. */
bool capture_store(struct capture_launch *launch);

/* In options.c: adds options for a launch file; dropped receives those that it does not take. */
void capture_options(const char *text, struct ws_text *out, struct ws_text *dropped);

/* Frees a launch that the driver reads nothing for. */
void capture_launch_free(struct capture_launch *launch);
