/* Functions of the CUDA runtime API: names and structs as programs have them (CUDA Runtime API reference; binary interface of
 * libcudart). */
#pragma once

#include "capture/cuda/core/stream.h"

#define EXPORTED __attribute__((visibility("default")))

/* A function of the API that returns an error: RUNTIME(name, (parameters), expression). After an error of a kernel all fail with
 * it. */
#define RUNTIME(name, parameters, ...) RUNTIME_AS(name, #name, parameters, __VA_ARGS__)

/* The form that a function has in one version of the runtime, as name_number: .symver gives it its name. */
#define RUNTIME_VERSION(name, number, parameters, ...) RUNTIME_AS(name##_##number, #name, parameters, __VA_ARGS__)

#define RUNTIME_AS(name, text, parameters, ...)                                                                                    \
    EXPORTED int name parameters;                                                                                                  \
    EXPORTED int name parameters                                                                                                   \
    {                                                                                                                              \
        gpu_enter(text);                                                                                                           \
        const int broken_ = gpu_broken();                                                                                          \
        return gpu_leave(broken_ ? broken_ : (__VA_ARGS__));                                                                       \
    }

/* A function that is not covered and refused by name: WHAT it is; LEAVE makes its status of an error. */
#define NOT_COVERED(name, leave, what)                                                                                             \
    EXPORTED int name(void);                                                                                                       \
    EXPORTED int name(void)                                                                                                        \
    {                                                                                                                              \
        gpu_enter(#name);                                                                                                          \
        return leave(gpu_uncovered(what));                                                                                         \
    }

/* The same function under another name: for programs with a default stream per thread, and for other versions. */
#define SAME(name, other) extern __typeof__(name) other __attribute__((alias(#name), visibility("default")));

struct dim3 {
    u32 x, y, z;
};

struct gpu_extent {
    size_t width, height, depth;
};

struct gpu_pos {
    size_t x, y, z;
};

struct gpu_pitched {
    void *data;
    size_t pitch, width, height;
};

struct gpu_channel {
    int x, y, z, w; /* bits */
    int kind;       /* GPU_SIGNED and so on */
};
enum { GPU_SIGNED, GPU_UNSIGNED, GPU_FLOAT, GPU_NONE };

/* Directions of copies. */
enum { GPU_TO_HOST_FROM_HOST, GPU_TO_DEVICE, GPU_TO_HOST, GPU_WITHIN_DEVICE, GPU_ANY };

/* In register.c: the function of a host symbol or of a kernel handle; NULL, after a message. */
struct gpu_function *runtime_function(const void *symbol);

/* In register.c: the range of a variable's host symbol. An error, after a message, if it has none or its code does not load. */
int runtime_variable(const void *symbol, struct gpu_range **range);

/* A copy of boxes, as cudaMemcpy3D takes it. */
struct gpu_copy_3d {
    void *from_array;
    struct gpu_pos from_at;
    struct gpu_pitched from;
    void *to_array;
    struct gpu_pos to_at;
    struct gpu_pitched to;
    struct gpu_extent extent;
    int direction;
};

/* In copy_box.c: that copy in bytes. */
int runtime_copy_3d(const struct gpu_copy_3d *from, struct gpu_copy *copy);

/* In properties.c: an attribute of the device, by its number in both APIs. */
int runtime_attribute(int *value, int attribute, int device);
