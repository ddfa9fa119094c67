/* The driver API, over the same device as the runtime API. */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/runtime/api.h"

#define DRIVER RUNTIME

static char context; /* its address is the handle of the only context */

/* ---- Start ---- */

static int set_number(int *to, int value)
{
    *to = value;
    return GPU_none;
}

static int check_device(int device)
{
    return device == 0 ? GPU_none : gpu_fail(GPU_device, "found device %d, there is device 0 only", device);
}

static int get_device(int *device, int ordinal)
{
    *device = 0;
    return check_device(ordinal);
}

static int get_name(char *text, int room, int device)
{
    snprintf(text, room > 0 ? (size_t)room : 0, "%s", gpu_device()->row.name);
    return check_device(device);
}

static int get_memory(size_t *bytes, int device)
{
    *bytes = gpu_device()->row.memory;
    return check_device(device);
}

static int get_capability(int *major, int *minor, int device)
{
    *major = (int)gpu_device()->row.capability / 10;
    *minor = (int)gpu_device()->row.capability % 10;
    return check_device(device);
}

static int get_uuid(char *uuid, int device)
{
    memcpy(uuid, "warpsweep-device", 16);
    return check_device(device);
}

DRIVER(cuInit, (unsigned flags), flags ? GPU_value : GPU_none)
DRIVER(cuDriverGetVersion, (int *version), set_number(version, 13000))
DRIVER(cuDeviceGetCount, (int *count), set_number(count, 1))
DRIVER(cuDeviceGet, (int *device, int ordinal), get_device(device, ordinal))
DRIVER(cuDeviceGetName, (char *text, int room, int device), get_name(text, room, device))
DRIVER(cuDeviceTotalMem_v2, (size_t * bytes, int device), get_memory(bytes, device))
DRIVER(cuDeviceGetAttribute, (int *value, int attribute, int device), runtime_attribute(value, attribute, device))
DRIVER(cuDeviceComputeCapability, (int *major, int *minor, int device), get_capability(major, minor, device))
DRIVER(cuDeviceGetUuid, (char *uuid, int device), get_uuid(uuid, device))
SAME(cuDeviceGetUuid, cuDeviceGetUuid_v2)
DRIVER(cuDeviceCanAccessPeer, (int *can, int device, int peer), device || peer ? GPU_device : set_number(can, 0))

/* ---- Errors ---- */

EXPORTED int cuGetErrorString(int error, const char **text);
EXPORTED int cuGetErrorString(int error, const char **text)
{
    const struct gpu_error_row *const row = gpu_error_row(error);
    *text = row ? row->text : NULL;
    return row ? GPU_none : GPU_value;
}

EXPORTED int cuGetErrorName(int error, const char **name);
EXPORTED int cuGetErrorName(int error, const char **name)
{
    const struct gpu_error_row *const row = gpu_error_row(error);
    *name = row ? row->driver : NULL;
    return row ? GPU_none : GPU_value;
}

/* ---- Contexts: one, which is always current ---- */

static int get_context(void **to)
{
    if (to)
        *to = &context;
    return GPU_none;
}

static int check_context(const void *handle)
{
    return !handle || handle == &context ? GPU_none : gpu_fail(GPU_context, "%p is no context", handle);
}

DRIVER(cuCtxCreate_v2, (void **to, unsigned flags, int device), flags + 1 && device == 0 ? get_context(to) : GPU_device)
DRIVER(cuCtxCreate_v3, (void **to, const void *affinity, int count, unsigned flags, int device),
       affinity || count || !(flags + 1) ? gpu_uncovered("contexts with affinity")
       : device                          ? GPU_device
                                         : get_context(to))
DRIVER(cuCtxCreate_v4, (void **to, const void *parameters, unsigned flags, int device),
       parameters || !(flags + 1) ? gpu_uncovered("contexts with parameters")
       : device                   ? GPU_device
                                  : get_context(to))
DRIVER(cuCtxDestroy_v2, (void *handle), check_context(handle))
DRIVER(cuCtxGetCurrent, (void **to), get_context(to))
DRIVER(cuCtxSetCurrent, (void *handle), check_context(handle))
DRIVER(cuCtxPushCurrent_v2, (void *handle), check_context(handle))
DRIVER(cuCtxPopCurrent_v2, (void **to), get_context(to))
DRIVER(cuCtxSynchronize, (void), GPU_none)
DRIVER(cuCtxGetDevice, (int *device), set_number(device, 0))
DRIVER(cuDevicePrimaryCtxRetain, (void **to, int device), device ? GPU_device : get_context(to))
DRIVER(cuDevicePrimaryCtxRelease_v2, (int device), check_device(device))
DRIVER(cuDevicePrimaryCtxSetFlags_v2, (int device, unsigned flags), flags + 1 ? check_device(device) : GPU_value)

static int get_state(int device, unsigned *flags, int *active)
{
    *flags = 0;
    *active = 1;
    return check_device(device);
}

DRIVER(cuDevicePrimaryCtxGetState, (int device, unsigned *flags, int *active), get_state(device, flags, active))

/* ---- Modules ---- */

static int load(struct gpu_module **module, int made)
{
    const int error = made == GPU_none ? gpu_module_load(*module) : made;
    if (error != GPU_none && made == GPU_none)
        gpu_module_unload(*module);
    return error;
}

static int load_data(struct gpu_module **module, const void *image)
{
    return image ? load(module, gpu_module_make(image, "a module of the program", module)) : GPU_value;
}

DRIVER(cuModuleLoadData, (struct gpu_module * *module, const void *image), load_data(module, image))
DRIVER(cuModuleLoadFatBinary, (struct gpu_module * *module, const void *image), load_data(module, image))
/* Options are for the compiler of PTX. */
DRIVER(cuModuleLoadDataEx, (struct gpu_module * *module, const void *image, unsigned count, const int *options, void **values),
       !count || (options && values) ? load_data(module, image) : GPU_value)
DRIVER(cuModuleLoad, (struct gpu_module * *module, const char *path), load(module, gpu_module_open(path, module)))

static int unload(struct gpu_module *module)
{
    gpu_module_unload(module);
    return GPU_none;
}

DRIVER(cuModuleUnload, (struct gpu_module * module), unload(module))

static int get_function(struct gpu_function **to, struct gpu_module *module, const char *name)
{
    *to = gpu_module_function(module, name);
    const int error = *to ? gpu_function_load(*to) : GPU_memory;
    return error == GPU_function ? GPU_not_found : error;
}

static int get_global(u64 *address, size_t *bytes, const struct gpu_module *module, const char *name)
{
    const struct gpu_range *const range = gpu_module_variable(module, name);
    if (!range)
        return GPU_not_found;
    if (address)
        *address = range->address;
    if (bytes)
        *bytes = range->bytes;
    return GPU_none;
}

DRIVER(cuModuleGetFunction, (struct gpu_function * *function, struct gpu_module *module, const char *name),
       get_function(function, module, name))
DRIVER(cuModuleGetGlobal_v2, (u64 * address, size_t *bytes, struct gpu_module *module, const char *name),
       get_global(address, bytes, module, name))

/* ---- Memory ---- */

static int allocate(u64 *to, size_t bytes, enum gpu_range_kind kind)
{
    const struct gpu_range *const range = bytes ? gpu_memory_add(kind, bytes) : NULL;
    if (!bytes)
        return gpu_fail(GPU_value, "found 0 bytes, allowed is at least 1");
    *to = range ? range->address : 0;
    return range ? GPU_none : GPU_memory;
}

static int release(u64 address, enum gpu_range_kind kind, enum gpu_range_kind other)
{
    struct gpu_range *const range = gpu_memory_begin((void *)(uintptr_t)address, kind, other);
    if (!address)
        return GPU_none;
    if (!range)
        return gpu_fail(GPU_value, "0x%llx is not the beginning of allocated memory", (unsigned long long)address);
    gpu_memory_remove(range);
    return GPU_none;
}

static int allocate_pitch(u64 *to, size_t *pitch, size_t width, size_t height)
{
    enum { PITCH = 512 };
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(to, *pitch * height, GPU_DEVICE);
}

static int get_info(size_t *free, size_t *total)
{
    *total = gpu_device()->row.memory;
    *free = *total - (gpu_memory_used() < *total ? gpu_memory_used() : *total);
    return GPU_none;
}

static int get_range(u64 *base, size_t *bytes, u64 address)
{
    const struct gpu_range *const range = gpu_memory_at((void *)(uintptr_t)address);
    if (!range)
        return GPU_not_found;
    if (base)
        *base = range->address;
    if (bytes)
        *bytes = range->bytes;
    return GPU_none;
}

DRIVER(cuMemAlloc_v2, (u64 * to, size_t bytes), allocate(to, bytes, GPU_DEVICE))
DRIVER(cuMemAllocManaged, (u64 * to, size_t bytes, unsigned flags), flags ? allocate(to, bytes, GPU_MANAGED) : GPU_value)
DRIVER(cuMemAllocPitch_v2, (u64 * to, size_t *pitch, size_t width, size_t height, unsigned element),
       element == 4 || element == 8 || element == 16 ? allocate_pitch(to, pitch, width, height) : GPU_value)
DRIVER(cuMemAllocHost_v2, (u64 * to, size_t bytes), allocate(to, bytes, GPU_HOST))
DRIVER(cuMemHostAlloc, (u64 * to, size_t bytes, unsigned flags), flags < 8 ? allocate(to, bytes, GPU_HOST) : GPU_value)
DRIVER(cuMemAllocAsync, (u64 * to, size_t bytes, void *stream),
       gpu_stream_find(stream) ? allocate(to, bytes, GPU_DEVICE) : GPU_handle)
DRIVER(cuMemFree_v2, (u64 address), release(address, GPU_DEVICE, GPU_MANAGED))
DRIVER(cuMemFreeHost, (u64 address), release(address, GPU_HOST, GPU_HOST))
DRIVER(cuMemFreeAsync, (u64 address, void *stream), gpu_stream_find(stream) ? release(address, GPU_DEVICE, GPU_DEVICE) : GPU_handle)
DRIVER(cuMemGetInfo_v2, (size_t * free, size_t *total), get_info(free, total))
DRIVER(cuMemGetAddressRange_v2, (u64 * base, size_t *bytes, u64 address), get_range(base, bytes, address))
DRIVER(cuMemHostGetDevicePointer_v2, (u64 * to, const void *host, unsigned flags),
       flags || !gpu_memory_at(host) ? GPU_value : (*to = (uintptr_t)host, GPU_none))

static int copy(u64 to, u64 from, size_t bytes, void *stream)
{
    const struct gpu_task task = {
        .kind = GPU_TASK_copy,
        .copy = {.from = (const u8 *)(uintptr_t)from, .to = (u8 *)(uintptr_t)to, .width = bytes, .height = 1, .depth = 1}};
    const int error = gpu_copy_check(&task.copy);
    return error == GPU_none ? gpu_submit(stream, &task) : error;
}

/* One side is memory of the device. */
static int copy_device(u64 to, u64 from, u64 device, size_t bytes, void *stream)
{
    if (bytes > 0 && !gpu_memory_at((void *)(uintptr_t)device))
        return gpu_fail(GPU_value, "0x%llx is no memory of the device", (unsigned long long)device);
    return copy(to, from, bytes, stream);
}

DRIVER(cuMemcpy, (u64 to, u64 from, size_t bytes), copy(to, from, bytes, NULL))
DRIVER(cuMemcpyAsync, (u64 to, u64 from, size_t bytes, void *stream), copy(to, from, bytes, stream))
DRIVER(cuMemcpyHtoD_v2, (u64 to, u64 from, size_t bytes), copy_device(to, from, to, bytes, NULL))
DRIVER(cuMemcpyDtoH_v2, (u64 to, u64 from, size_t bytes), copy_device(to, from, from, bytes, NULL))
DRIVER(cuMemcpyDtoD_v2, (u64 to, u64 from, size_t bytes), copy_device(to, from, from, bytes, NULL))
DRIVER(cuMemcpyHtoDAsync_v2, (u64 to, u64 from, size_t bytes, void *stream), copy_device(to, from, to, bytes, stream))
DRIVER(cuMemcpyDtoHAsync_v2, (u64 to, u64 from, size_t bytes, void *stream), copy_device(to, from, from, bytes, stream))
DRIVER(cuMemcpyDtoDAsync_v2, (u64 to, u64 from, size_t bytes, void *stream), copy_device(to, from, from, bytes, stream))

static int fill(u64 to, u32 value, u32 element, size_t count, void *stream)
{
    const struct gpu_task task = {
        .kind = GPU_TASK_fill,
        .fill = {.to = (u8 *)(uintptr_t)to, .width = count * element, .height = 1, .depth = 1, .value = value, .element = element}};
    const int error = gpu_fill_check(&task.fill);
    if (error == GPU_none && count > 0 && !gpu_memory_at(task.fill.to))
        return gpu_fail(GPU_value, "0x%llx is no memory of the device", (unsigned long long)to);
    return error == GPU_none ? gpu_submit(stream, &task) : error;
}

DRIVER(cuMemsetD8_v2, (u64 to, u8 value, size_t count), fill(to, value, 1, count, NULL))
DRIVER(cuMemsetD16_v2, (u64 to, u16 value, size_t count), fill(to, value, 2, count, NULL))
DRIVER(cuMemsetD32_v2, (u64 to, u32 value, size_t count), fill(to, value, 4, count, NULL))
DRIVER(cuMemsetD8Async, (u64 to, u8 value, size_t count, void *stream), fill(to, value, 1, count, stream))
DRIVER(cuMemsetD16Async, (u64 to, u16 value, size_t count, void *stream), fill(to, value, 2, count, stream))
DRIVER(cuMemsetD32Async, (u64 to, u32 value, size_t count, void *stream), fill(to, value, 4, count, stream))

/* ---- Launches ---- */

enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES };

static int make_task(struct gpu_function *function, const struct gpu_config *config, void **arguments, void **extra,
                     struct gpu_task *task)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    if (arguments || !extra)
        return gpu_task_kernel(function, config, arguments, task);
    for (; (uintptr_t)extra[0] != EXTRA_END; extra += 2) {
        buffer = (uintptr_t)extra[0] == EXTRA_BUFFER ? extra[1] : buffer;
        bytes = (uintptr_t)extra[0] == EXTRA_BYTES ? *(const size_t *)extra[1] : bytes;
    }
    return buffer ? gpu_task_packed(function, config, buffer, bytes, task) : gpu_fail(GPU_value, "found no arguments");
}

static int launch(struct gpu_function *function, const struct gpu_config *config, void *stream, void **arguments, void **extra)
{
    struct gpu_task task = {0};
    if (!function)
        return gpu_fail(GPU_handle, "found a null pointer as function");
    int error = make_task(function, config, arguments, extra, &task);
    if (error == GPU_none)
        error = gpu_submit(stream, &task);
    gpu_task_free(&task);
    return error;
}

DRIVER(cuLaunchKernel,
       (struct gpu_function * function, u32 grid_x, u32 grid_y, u32 grid_z, u32 block_x, u32 block_y, u32 block_z, u32 shared,
        void *stream, void **arguments, void **extra),
       launch(function,
              &(struct gpu_config){.grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared},
              stream, arguments, extra))
SAME(cuLaunchKernel, cuLaunchKernel_ptsz)
DRIVER(cuLaunchCooperativeKernel,
       (struct gpu_function * function, u32 grid_x, u32 grid_y, u32 grid_z, u32 block_x, u32 block_y, u32 block_z, u32 shared,
        void *stream, void **arguments),
       launch(function,
              &(struct gpu_config){
                  .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared, .cooperative = true},
              stream, arguments, NULL))

struct launch_config {
    u32 grid[3], block[3], shared;
    void *stream;
    void *attributes;
    u32 attribute_count;
};

static int launch_with(const struct launch_config *given, struct gpu_function *function, void **arguments, void **extra)
{
    struct gpu_config config = {.grid = {given->grid[0], given->grid[1], given->grid[2]},
                                .block = {given->block[0], given->block[1], given->block[2]},
                                .shared = given->shared};
    gpu_config_attributes(given->attributes, given->attribute_count, &config);
    return launch(function, &config, given->stream, arguments, extra);
}

DRIVER(cuLaunchKernelEx, (const struct launch_config *config, struct gpu_function *function, void **arguments, void **extra),
       launch_with(config, function, arguments, extra))

enum {
    FUNCTION_MOST_THREADS,
    FUNCTION_SHARED,
    FUNCTION_CONSTANT,
    FUNCTION_LOCAL,
    FUNCTION_REGISTERS,
    FUNCTION_PTX,
    FUNCTION_BINARY,
    FUNCTION_CACHE,
    FUNCTION_DYNAMIC,
    FUNCTION_CARVEOUT
};

static int get_attribute(int *value, int attribute, const struct gpu_function *function)
{
    const int capability = (int)gpu_device()->row.capability;
    const int values[] = {1024,
                          (int)function->info.shared_bytes,
                          0,
                          (int)function->info.local_bytes,
                          (int)function->info.registers,
                          capability,
                          capability,
                          0,
                          (int)function->dynamic_shared,
                          function->carveout};
    if (attribute < 0 || attribute > FUNCTION_CARVEOUT)
        return gpu_uncovered("attribute %d of a function", attribute);
    *value = values[attribute];
    return GPU_none;
}

static int set_attribute(struct gpu_function *function, int attribute, int value)
{
    if (attribute == FUNCTION_CARVEOUT)
        function->carveout = value;
    else if (attribute != FUNCTION_DYNAMIC)
        return gpu_uncovered("attribute %d of a function", attribute);
    else if (value < 0 || (u32)value + function->info.shared_bytes > gpu_device()->row.shared_block)
        return gpu_fail(GPU_value, "found %d bytes of dynamic shared memory, %s allows at most %u", value, gpu_device()->row.name,
                        gpu_device()->row.shared_block - function->info.shared_bytes);
    else {
        function->dynamic_shared = (u32)value;
        function->wants_shared = true;
    }
    return GPU_none;
}

DRIVER(cuFuncGetAttribute, (int *value, int attribute, struct gpu_function *function), get_attribute(value, attribute, function))
DRIVER(cuFuncSetAttribute, (struct gpu_function * function, int attribute, int value), set_attribute(function, attribute, value))
DRIVER(cuFuncSetCacheConfig, (struct gpu_function * function, int config), function &&config >= 0 ? GPU_none : GPU_value)
DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, struct gpu_function *function, int threads, size_t shared),
       threads > 0 && threads <= 1024 ? set_number(blocks, (int)gpu_occupancy(function, (u32)threads, shared)) : GPU_value)

/* ---- Streams and events: those of the runtime ---- */

int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority);
int cudaStreamDestroy(void *stream);
int cudaStreamSynchronize(void *stream);
int cudaStreamQuery(void *stream);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaEventCreateWithFlags(void **event, unsigned flags);
int cudaEventDestroy(void *event);
int cudaEventRecord(void *event, void *stream);
int cudaEventQuery(void *event);
int cudaEventSynchronize(void *event);
int cudaEventElapsedTime(float *milliseconds, void *start, void *end);

DRIVER(cuStreamCreate, (void **stream, unsigned flags), cudaStreamCreateWithPriority(stream, flags, 0))
DRIVER(cuStreamCreateWithPriority, (void **stream, unsigned flags, int priority),
       cudaStreamCreateWithPriority(stream, flags, priority))
DRIVER(cuStreamDestroy_v2, (void *stream), cudaStreamDestroy(stream))
DRIVER(cuStreamSynchronize, (void *stream), cudaStreamSynchronize(stream))
DRIVER(cuStreamQuery, (void *stream), cudaStreamQuery(stream))
DRIVER(cuStreamWaitEvent, (void *stream, void *event, unsigned flags), cudaStreamWaitEvent(stream, event, flags))
DRIVER(cuEventCreate, (void **event, unsigned flags), cudaEventCreateWithFlags(event, flags))
DRIVER(cuEventDestroy_v2, (void *event), cudaEventDestroy(event))
DRIVER(cuEventRecord, (void *event, void *stream), cudaEventRecord(event, stream))
DRIVER(cuEventQuery, (void *event), cudaEventQuery(event))
DRIVER(cuEventSynchronize, (void *event), cudaEventSynchronize(event))
DRIVER(cuEventElapsedTime, (float *milliseconds, void *start, void *end), cudaEventElapsedTime(milliseconds, start, end))
SAME(cuEventElapsedTime, cuEventElapsedTime_v2)
