/* Allocation in the order of a stream. There is one pool, which keeps nothing. */
#include <string.h>

#include "capture/cuda/runtime/api.h"

static char pool; /* its address is the handle */

static int allocate(void **to, size_t bytes, void *handle)
{
    const struct gpu_stream *const stream = gpu_stream_find(handle);
    if (!stream)
        return gpu_fail(GPU_handle, "%p is no stream", handle);
    *to = NULL;
    if (bytes == 0)
        return GPU_none;
    struct gpu_range *const range = gpu_memory_add(GPU_DEVICE, bytes);
    if (range)
        range->is_kept = stream->graph != NULL; /* a captured stream: the graph's memory has one address in all its launches */
    *to = range ? range->data : NULL;
    return range ? GPU_none : GPU_memory;
}

static int release(void *address, void *stream)
{
    const struct gpu_task task = {.kind = GPU_TASK_free, .data = address};
    return address ? gpu_submit(stream, &task) : GPU_none;
}

static int check_pool(const void *handle)
{
    return handle == &pool ? GPU_none : gpu_fail(GPU_value, "%p is no memory pool", handle);
}

static int get_pool(void **to, int device)
{
    if (device != 0)
        return gpu_fail(GPU_device, "found device %d, there is device 0 only", device);
    *to = &pool;
    return GPU_none;
}

RUNTIME(cudaMallocAsync, (void **to, size_t bytes, void *stream), allocate(to, bytes, stream))
SAME(cudaMallocAsync, cudaMallocAsync_ptsz)
RUNTIME(cudaMallocFromPoolAsync, (void **to, size_t bytes, void *from, void *stream),
        check_pool(from) ? GPU_value : allocate(to, bytes, stream))
SAME(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz)
RUNTIME(cudaFreeAsync, (void *address, void *stream), release(address, stream))
SAME(cudaFreeAsync, cudaFreeAsync_ptsz)
RUNTIME(cudaDeviceGetDefaultMemPool, (void **to, int device), get_pool(to, device))
RUNTIME(cudaDeviceGetMemPool, (void **to, int device), get_pool(to, device))
RUNTIME(cudaDeviceSetMemPool, (int device, void *handle), device ? GPU_device : check_pool(handle))
RUNTIME(cudaMemPoolCreate, (void **to, const void *properties), properties ? get_pool(to, 0) : GPU_value)
RUNTIME(cudaMemPoolDestroy, (void *handle), check_pool(handle))
RUNTIME(cudaMemPoolTrimTo, (void *handle, size_t bytes), bytes + 1 ? check_pool(handle) : check_pool(handle))
RUNTIME(cudaMemPoolSetAttribute, (void *handle, int attribute, void *value),
        attribute > 0 && value ? check_pool(handle) : GPU_value)

enum { POOL_RESERVED_NOW = 5, POOL_RESERVED_MOST, POOL_USED_NOW, POOL_USED_MOST };

static int get_attribute(const void *handle, int attribute, void *value)
{
    const u64 used = gpu_memory_used();
    const int one = 1, error = check_pool(handle);
    if (error != GPU_none)
        return error;
    if (attribute >= POOL_RESERVED_NOW && attribute <= POOL_USED_MOST)
        memcpy(value, &used, sizeof used);
    else if (attribute == 4) /* release threshold */
        memset(value, 0, sizeof used);
    else
        memcpy(value, &one, sizeof one);
    return GPU_none;
}

RUNTIME(cudaMemPoolGetAttribute, (void *handle, int attribute, void *value), get_attribute(handle, attribute, value))
