/* Work of a stream: done at once, or kept in a graph while the stream is captured. */
#pragma once

#include "capture/cuda/core/launch.h"

/* Bytes from one place to another: rows of width bytes, height rows in a slice. */
struct gpu_copy {
    const u8 *from;
    u8 *to;
    u64 from_pitch, from_slice, to_pitch, to_slice; /* bytes between rows, and between slices */
    u64 width, height, depth;
};

/* A value of 1, 2 or 4 bytes in each element of rows. */
struct gpu_fill {
    u8 *to;
    u64 pitch, slice, width, height, depth; /* width in bytes */
    u32 value, element;
};

struct gpu_event;

enum gpu_task_kind {
    GPU_TASK_nothing,
    GPU_TASK_kernel,
    GPU_TASK_copy,
    GPU_TASK_fill,
    GPU_TASK_call,
    GPU_TASK_record,
    GPU_TASK_free
};

struct gpu_task {
    enum gpu_task_kind kind;
    struct gpu_function *function; /* kernel */
    struct gpu_config config;
    u8 *arguments;
    struct gpu_copy copy;
    struct gpu_fill fill;
    void (*call)(void *data); /* of the host */
    void *data;               /* its argument; of a free, the address */
    struct gpu_event *event;
};

/* Checks that both sides of a copy, or the target of a fill, lie within the memory that they begin in. Memory of the host that is
 * not registered is not checked. */
int gpu_copy_check(const struct gpu_copy *copy);
int gpu_fill_check(const struct gpu_fill *fill);

int gpu_task_run(const struct gpu_task *task);

/* A copy with arguments of its own; false when out of memory. */
bool gpu_task_clone(const struct gpu_task *task, struct gpu_task *to);
void gpu_task_free(struct gpu_task *task);

/* A kernel with its arguments, one pointer each, copied to *task; to be freed by gpu_task_free. */
int gpu_task_kernel(struct gpu_function *function, const struct gpu_config *config, void *const *arguments, struct gpu_task *task);

/* The same with the arguments as the kernel has them, so many bytes. */
int gpu_task_packed(struct gpu_function *function, const struct gpu_config *config, const void *arguments, size_t bytes,
                    struct gpu_task *task);
