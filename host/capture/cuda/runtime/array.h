/* Arrays: memory that kernels reach through textures and surfaces. */
#pragma once

#include "capture/cuda/runtime/api.h"

struct gpu_array {
    struct gpu_range *range;
    struct gpu_channel channel;
    u64 width, height, depth; /* elements; at least 1 */
    u32 element;              /* bytes */
    u32 dimensions;           /* 1 to 3, without layers */
    bool layers;              /* the last size counts layers */
    unsigned flags;
    struct gpu_array *next;
};

/* NULL for what is none. */
struct gpu_array *gpu_array_find(const void *handle);
