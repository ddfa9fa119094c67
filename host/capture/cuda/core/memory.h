/* Memory of the device: allocations of a region of this process's address space. Host and device addresses are equal, so managed
 * and pinned memory are the same bytes for both, and pointers in buffers mean the same in every launch. The region begins at a
 * fixed address: the same program has the same addresses in each run. */
#pragma once

#include "capture/cuda/core/gpu.h"

enum gpu_range_kind {
    GPU_DEVICE,     /* cudaMalloc and its like */
    GPU_MANAGED,    /* cudaMallocManaged, __managed__ */
    GPU_HOST,       /* cudaMallocHost, cudaHostAlloc */
    GPU_REGISTERED, /* cudaHostRegister */
    GPU_VARIABLE,   /* of a module */
    GPU_ARRAY,      /* cudaArray: no kernel sees it but through a texture or surface */
    GPU_IMAGE       /* a texture or surface object: its handle, with texels elsewhere */
};

struct gpu_range {
    u64 address, bytes;
    u8 *data; /* at address, except for images */
    enum gpu_range_kind kind;
    bool is_kept;                      /* of a graph: its frees do nothing, as the next launch has it again */
    u32 flags;                         /* as the program gave them */
    const struct ws_image_desc *image; /* of images */
    const u8 *rows;                    /* of images whose rows are apart in the program's memory: the first; data is a copy */
    u64 pitch;                         /* of those rows, in bytes */
    const void *owner;                 /* module of a variable */
    const char *variable;              /* its name */
    char name[24];                     /* "m3", of all ranges in their order */
};

/* Allocates zeroed memory (bytes may be 0) of a kind, a multiple of 64 KB apart from others. NULL, after a message, when there is
 * none. */
struct gpu_range *gpu_memory_add(enum gpu_range_kind kind, u64 bytes);

/* Reserves addresses for an image whose texels are data. If its rows are pitch bytes apart there, it is a copy, which
 * gpu_memory_refresh renews: a launch reads the texels of when it began, as textures may. */
struct gpu_range *gpu_memory_add_image(const struct ws_image_desc *image, u8 *data, u64 pitch);
void gpu_memory_refresh(const struct gpu_range *range);

/* Makes host memory known. NULL if part of it already is. */
struct gpu_range *gpu_memory_register(void *data, u64 bytes);

void gpu_memory_remove(struct gpu_range *range);

/* The range that holds an address (also its end, for an empty rest), or NULL. Not images. */
struct gpu_range *gpu_memory_at(const void *address);

/* The same that begins there and has one of two kinds. */
struct gpu_range *gpu_memory_begin(const void *address, enum gpu_range_kind kind, enum gpu_range_kind other);

/* The image with that handle, or NULL. */
struct gpu_range *gpu_memory_image(u64 handle);

/* All ranges by address; *count receives their number. Valid until the next change. */
struct gpu_range *const *gpu_memory_all(u32 *count);

/* Bytes of device and managed memory in use. */
u64 gpu_memory_used(void);
