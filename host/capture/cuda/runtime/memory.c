/* Allocation, and questions about memory. */
#include "capture/cuda/runtime/api.h"

/* ---- Allocation ---- */

static int allocate(void **to, size_t bytes, enum gpu_range_kind kind, u32 flags)
{
    struct gpu_range *range;
    if (!to)
        return gpu_fail(GPU_value, "found a null pointer for the result");
    *to = NULL;
    if (bytes == 0)
        return GPU_none;
    range = gpu_memory_add(kind, bytes);
    if (!range)
        return GPU_memory;
    range->flags = flags;
    *to = range->data;
    return GPU_none;
}

RUNTIME(cudaMalloc, (void **to, size_t bytes), allocate(to, bytes, GPU_DEVICE, 0))
RUNTIME(cudaMallocManaged, (void **to, size_t bytes, unsigned flags),
        bytes ? allocate(to, bytes, GPU_MANAGED, flags) : gpu_fail(GPU_value, "found 0 bytes, allowed is at least 1"))
RUNTIME(cudaMallocHost, (void **to, size_t bytes), allocate(to, bytes, GPU_HOST, 0))
RUNTIME(cudaHostAlloc, (void **to, size_t bytes, unsigned flags), allocate(to, bytes, GPU_HOST, flags))

enum { PITCH = 512 };

static int allocate_pitch(void **to, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(to, *pitch * height, GPU_DEVICE, 0);
}

RUNTIME(cudaMallocPitch, (void **to, size_t *pitch, size_t width, size_t height),
        to &&pitch ? allocate_pitch(to, pitch, width, height) : gpu_fail(GPU_value, "found a null pointer for a result"))

static int allocate_slices(struct gpu_pitched *to, struct gpu_extent extent)
{
    to->width = extent.width;
    to->height = extent.height;
    return allocate_pitch(&to->data, &to->pitch, extent.width, extent.height * extent.depth);
}

RUNTIME(cudaMalloc3D, (struct gpu_pitched * to, struct gpu_extent extent), allocate_slices(to, extent))

static int release(void *address, enum gpu_range_kind kind, enum gpu_range_kind other, const char *maker)
{
    struct gpu_range *const range = address ? gpu_memory_begin(address, kind, other) : NULL;
    if (!address)
        return GPU_none;
    if (!range)
        return gpu_fail(GPU_value, "%p is not the beginning of memory that %s gave, or was freed", address, maker);
    if (!range->is_kept)
        gpu_memory_remove(range);
    return GPU_none;
}

RUNTIME(cudaFree, (void *address), release(address, GPU_DEVICE, GPU_MANAGED, "cudaMalloc"))
RUNTIME(cudaFreeHost, (void *address), release(address, GPU_HOST, GPU_HOST, "cudaMallocHost or cudaHostAlloc"))

/* ---- Memory of the host ---- */

static int enlist(void *address, size_t bytes, unsigned flags)
{
    struct gpu_range *range;
    if (!address || bytes == 0)
        return gpu_fail(GPU_value, "found %zu bytes at %p", bytes, address);
    range = gpu_memory_register(address, bytes);
    if (!range)
        return gpu_fail(GPU_registered, "part of the %zu bytes at %p is registered", bytes, address);
    range->flags = flags;
    return GPU_none;
}

static int strike(void *address)
{
    struct gpu_range *const range = gpu_memory_begin(address, GPU_REGISTERED, GPU_REGISTERED);
    if (!range)
        return gpu_fail(GPU_not_registered, "%p is not the beginning of registered memory", address);
    gpu_memory_remove(range);
    return GPU_none;
}

RUNTIME(cudaHostRegister, (void *address, size_t bytes, unsigned flags), enlist(address, bytes, flags))
RUNTIME(cudaHostUnregister, (void *address), strike(address))

static int get_device_pointer(void **device, void *host)
{
    const struct gpu_range *const range = gpu_memory_at(host);
    if (!range || range->kind == GPU_DEVICE || range->kind == GPU_VARIABLE)
        return gpu_fail(GPU_value, "%p is no memory of cudaHostAlloc or cudaHostRegister", host);
    *device = host;
    return GPU_none;
}

static int get_host_flags(unsigned *flags, void *host)
{
    const struct gpu_range *const range = gpu_memory_at(host);
    if (!range || (range->kind != GPU_HOST && range->kind != GPU_REGISTERED))
        return gpu_fail(GPU_value, "%p is no memory of cudaHostAlloc or cudaHostRegister", host);
    *flags = range->flags;
    return GPU_none;
}

RUNTIME(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags), flags ? GPU_value : get_device_pointer(device, host))
RUNTIME(cudaHostGetFlags, (unsigned *flags, void *host), get_host_flags(flags, host))

/* ---- Questions ---- */

struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    long reserved[8]; /* from version 13 on */
};
#define OLD_ATTRIBUTES offsetof(struct pointer_attributes, reserved)

static int get_pointer(struct pointer_attributes *to, const void *address)
{
    static const int types[] = {
        [GPU_DEVICE] = 2, [GPU_MANAGED] = 3, [GPU_HOST] = 1, [GPU_REGISTERED] = 1, [GPU_VARIABLE] = 2, [GPU_ARRAY] = 2};
    const struct gpu_range *const range = gpu_memory_at(address);
    void *const pointer = (void *)(uintptr_t)address;
    to->type = range ? types[range->kind] : 0;
    to->device = range ? 0 : -2;
    to->device_pointer = range ? pointer : NULL;
    to->host_pointer = !range || to->type != 2 ? pointer : NULL;
    return GPU_none;
}

RUNTIME(cudaPointerGetAttributes, (struct pointer_attributes * to, const void *address),
        to ? get_pointer(to, address) : gpu_fail(GPU_value, "found a null pointer for the result"))

static int get_info(size_t *free, size_t *total)
{
    *total = gpu_device()->row.memory;
    *free = *total - (gpu_memory_used() < *total ? gpu_memory_used() : *total);
    return GPU_none;
}

RUNTIME(cudaMemGetInfo, (size_t * free, size_t *total), get_info(free, total))

static int get_symbol_address(void **address, const void *symbol)
{
    struct gpu_range *range;
    const int error = runtime_variable(symbol, &range);
    if (error != GPU_none)
        return error;
    *address = range->data;
    return GPU_none;
}

static int get_symbol_size(size_t *bytes, const void *symbol)
{
    struct gpu_range *range;
    const int error = runtime_variable(symbol, &range);
    if (error != GPU_none)
        return error;
    *bytes = range->bytes;
    return GPU_none;
}

RUNTIME(cudaGetSymbolAddress, (void **address, const void *symbol), get_symbol_address(address, symbol))
RUNTIME(cudaGetSymbolSize, (size_t * bytes, const void *symbol), get_symbol_size(bytes, symbol))
