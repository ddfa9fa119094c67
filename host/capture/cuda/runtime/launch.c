/* Launches of kernels, and attributes of kernels. */
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/runtime/api.h"

/* ---- <<<...>>> ---- */

/* Configurations of launches that have begun: a launch's arguments may contain launches. */
enum { MOST_CONFIGURATIONS = 64 };
static _Thread_local struct configuration {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
} configurations[MOST_CONFIGURATIONS];
static _Thread_local u32 configuration_count;

EXPORTED unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream);
EXPORTED unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared, void *stream)
{
    if (configuration_count == MOST_CONFIGURATIONS)
        return GPU_configuration;
    configurations[configuration_count++] = (struct configuration){grid, block, shared, stream};
    return GPU_none;
}

EXPORTED int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void **stream);
EXPORTED int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared, void **stream)
{
    if (configuration_count == 0)
        return GPU_missing_configuration;
    const struct configuration *const top = &configurations[--configuration_count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *stream = top->stream;
    return GPU_none;
}

/* ---- Launches ---- */

static struct gpu_config config_of(struct dim3 grid, struct dim3 block, size_t shared)
{
    return (struct gpu_config){.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .shared = shared};
}

static int launch(const void *symbol, const struct gpu_config *config, void **arguments, void *stream)
{
    struct gpu_function *const function = runtime_function(symbol);
    struct gpu_task task = {0};
    if (!function)
        return GPU_function;
    int error = gpu_task_kernel(function, config, arguments, &task);
    if (error == GPU_none)
        error = gpu_submit(stream, &task);
    gpu_task_free(&task);
    return error;
}

static int launch_together(const void *symbol, struct gpu_config config, void **arguments, void *stream)
{
    config.cooperative = true;
    return launch(symbol, &config, arguments, stream);
}

RUNTIME(cudaLaunchKernel,
        (const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared, void *stream),
        launch(function,
               &(struct gpu_config){.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}, .shared = shared},
               arguments, stream))
SAME(cudaLaunchKernel, cudaLaunchKernel_ptsz)
SAME(cudaLaunchKernel, __cudaLaunchKernel)
SAME(cudaLaunchKernel, __cudaLaunchKernel_ptsz)

RUNTIME(cudaLaunchCooperativeKernel,
        (const void *function, struct dim3 grid, struct dim3 block, void **arguments, size_t shared, void *stream),
        launch_together(function, config_of(grid, block, shared), arguments, stream))
SAME(cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernel_ptsz)

struct launch_config {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
    void *attributes; /* gpu_config_attributes */
    u32 attribute_count;
};

static int launch_with(const struct launch_config *given, const void *function, void **arguments)
{
    struct gpu_config config = config_of(given->grid, given->block, given->shared);
    gpu_config_attributes(given->attributes, given->attribute_count, &config);
    return launch(function, &config, arguments, given->stream);
}

RUNTIME(cudaLaunchKernelExC, (const struct launch_config *config, const void *function, void **arguments),
        config ? launch_with(config, function, arguments) : gpu_fail(GPU_value, "found no configuration"))
SAME(cudaLaunchKernelExC, cudaLaunchKernelExC_ptsz)

static int launch_call(void *stream, void (*function)(void *), void *data)
{
    const struct gpu_task task = {.kind = GPU_TASK_call, .call = function, .data = data};
    return gpu_submit(stream, &task);
}

RUNTIME(cudaLaunchHostFunc, (void *stream, void (*function)(void *data), void *data), launch_call(stream, function, data))
SAME(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz)

/* ---- Kernels ---- */

static int get_kernel(void **kernel, const void *symbol)
{
    if (!runtime_function(symbol))
        return GPU_function;
    *kernel = (void *)(uintptr_t)symbol; /* a handle of a kernel is its host symbol */
    return GPU_none;
}

RUNTIME(cudaGetKernel, (void **kernel, const void *symbol), get_kernel(kernel, symbol))
SAME(cudaGetKernel, __cudaGetKernel)

static int get_function(void **handle, const void *symbol)
{
    struct gpu_function *const function = runtime_function(symbol);
    *handle = function;
    return function ? gpu_function_load(function) : GPU_function;
}

RUNTIME(cudaGetFuncBySymbol, (void **function, const void *symbol), get_function(function, symbol))

struct function_attributes {
    size_t shared, constant, local;
    int most_threads, registers, ptx_version, binary_version, cache_mode, most_dynamic, carveout;
    int cluster_needed, cluster[3], cluster_policy, other_clusters, reserved[16];
};
/* Version 11 of the runtime ends after the carveout; nothing is known of what is reserved. */
#define OLD_ATTRIBUTES offsetof(struct function_attributes, cluster_needed)
#define ATTRIBUTES     offsetof(struct function_attributes, reserved)

enum { STANDARD_SHARED = 49152, MOST_THREADS = 1024 };

static int get_attributes(struct function_attributes *attributes, size_t bytes, const void *symbol)
{
    struct gpu_function *const function = runtime_function(symbol);
    const int error = function ? gpu_function_load(function) : GPU_function;
    if (error != GPU_none)
        return error;
    const struct ws_kernel_info *const info = &function->info;
    const u32 threads = info->registers ? 65536 / ((info->registers + 7) / 8 * 8) / 32 * 32 : MOST_THREADS;
    const u32 free = info->shared_bytes < STANDARD_SHARED ? STANDARD_SHARED - info->shared_bytes : 0;
    const struct function_attributes found = {.shared = info->shared_bytes,
                                              .local = info->local_bytes,
                                              .most_threads = (int)(threads < MOST_THREADS ? threads : MOST_THREADS),
                                              .registers = (int)info->registers,
                                              .ptx_version = (int)gpu_device()->row.capability,
                                              .binary_version = (int)gpu_device()->row.capability,
                                              .most_dynamic = (int)(function->wants_shared ? function->dynamic_shared : free),
                                              .carveout = function->carveout,
                                              .cluster = {(int)info->cluster[0], (int)info->cluster[1], (int)info->cluster[2]},
                                              .other_clusters = function->large_clusters};
    memcpy(attributes, &found, bytes);
    return GPU_none;
}

RUNTIME_VERSION(cudaFuncGetAttributes, 11, (struct function_attributes * attributes, const void *function),
                get_attributes(attributes, OLD_ATTRIBUTES, function))
RUNTIME_VERSION(cudaFuncGetAttributes, 13, (struct function_attributes * attributes, const void *function),
                get_attributes(attributes, ATTRIBUTES, function))
SAME(cudaFuncGetAttributes_13, cudaFuncGetAttributes_12)
__asm__(".symver cudaFuncGetAttributes_11, cudaFuncGetAttributes@libcudart.so.11.0");
__asm__(".symver cudaFuncGetAttributes_12, cudaFuncGetAttributes@libcudart.so.12");
__asm__(".symver cudaFuncGetAttributes_13, cudaFuncGetAttributes@@libcudart.so.13");

enum { SET_DYNAMIC_SHARED = 8, SET_CARVEOUT = 9, SET_LARGE_CLUSTERS = 14, SET_CLUSTER_POLICY = 15 };

static int set_attribute(const void *symbol, int attribute, int value)
{
    struct gpu_function *const function = runtime_function(symbol);
    const int error = function ? gpu_function_load(function) : GPU_function;
    if (error != GPU_none)
        return error;
    const u32 most = gpu_device()->row.shared_block - function->info.shared_bytes;
    if (attribute == SET_CARVEOUT)
        function->carveout = value;
    if (attribute == SET_LARGE_CLUSTERS)
        function->large_clusters = value != 0;
    if (attribute != SET_DYNAMIC_SHARED)
        return attribute == SET_CARVEOUT || attribute == SET_LARGE_CLUSTERS || attribute == SET_CLUSTER_POLICY
                   ? GPU_none
                   : gpu_uncovered("attribute %d of a kernel", attribute);
    if (value < 0 || (u32)value > most)
        return gpu_fail(GPU_value, "found %d bytes of dynamic shared memory, %s allows at most %u for kernel %s", value,
                        gpu_device()->row.name, most, function->name);
    function->dynamic_shared = (u32)value;
    function->wants_shared = true;
    return GPU_none;
}

RUNTIME(cudaFuncSetAttribute, (const void *function, int attribute, int value), set_attribute(function, attribute, value))
RUNTIME(cudaFuncSetCacheConfig, (const void *function, int config),
        runtime_function(function) && config >= 0 ? GPU_none : GPU_function)
RUNTIME(cudaFuncSetSharedMemConfig, (const void *function, int config),
        runtime_function(function) && config >= 0 ? GPU_none : GPU_function)

static int get_name(const char **name, const void *symbol)
{
    const struct gpu_function *const function = runtime_function(symbol);
    if (!function)
        return GPU_function;
    *name = function->name;
    return GPU_none;
}

RUNTIME(cudaFuncGetName, (const char **name, const void *function), get_name(name, function))

static int get_parameter(const void *symbol, size_t n, size_t *offset, size_t *bytes)
{
    struct gpu_function *const function = runtime_function(symbol);
    const int error = function ? gpu_function_load(function) : GPU_function;
    if (error != GPU_none)
        return error;
    if (n >= function->info.parameters)
        return GPU_value;
    *offset = gpu_argument_offset(function, (u32)n);
    if (bytes)
        *bytes = function->parameters[n].bytes;
    return GPU_none;
}

RUNTIME(cudaFuncGetParamInfo, (const void *function, size_t n, size_t *offset, size_t *bytes),
        get_parameter(function, n, offset, bytes))

/* ---- Occupancy ---- */

static int get_occupancy(int *blocks, const void *symbol, int threads, size_t shared)
{
    struct gpu_function *const function = runtime_function(symbol);
    const int error = function ? gpu_function_load(function) : GPU_function;
    if (error != GPU_none)
        return error;
    if (threads <= 0)
        return gpu_fail(GPU_value, "found a block of %d threads, allowed is at least 1", threads);
    *blocks = threads > MOST_THREADS ? 0 : (int)gpu_occupancy(function, (u32)threads, shared);
    return GPU_none;
}

RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, const void *function, int threads, size_t shared),
        get_occupancy(blocks, function, threads, shared))
RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
        (int *blocks, const void *function, int threads, size_t shared, unsigned flags),
        flags <= 1 ? get_occupancy(blocks, function, threads, shared) : GPU_value)

/* The most dynamic shared memory with which so many blocks fit. */
static int get_dynamic(size_t *bytes, const void *symbol, int blocks, int threads)
{
    struct gpu_function *const function = runtime_function(symbol);
    const int error = function ? gpu_function_load(function) : GPU_function;
    if (error != GPU_none)
        return error;
    if (blocks <= 0 || threads <= 0)
        return GPU_value;
    *bytes = 0;
    for (size_t step = (size_t)1 << 20; step > 0; step /= 2)
        if (*bytes + step + function->info.shared_bytes <= gpu_device()->row.shared_block &&
            gpu_occupancy(function, (u32)threads, *bytes + step) >= (u32)blocks)
            *bytes += step;
    return GPU_none;
}

RUNTIME(cudaOccupancyAvailableDynamicSMemPerBlock, (size_t * bytes, const void *function, int blocks, int threads),
        get_dynamic(bytes, function, blocks, threads))

/* ---- Clusters ---- */

enum { PORTABLE_CLUSTER = 8, LARGE_CLUSTER = 16 };

/* Blocks of a cluster; 0: no sizes are given. */
static u32 blocks_of(const u32 *cluster)
{
    u32 blocks = cluster[0];
    for (u32 n = 1; n < 3; n++)
        blocks *= cluster[n] ? cluster[n] : 1;
    return blocks;
}

/* Clusters that all SMs hold at once: blocks of one may lie on several SMs. */
static int get_clusters(int *clusters, const void *symbol, const struct launch_config *given)
{
    struct gpu_config config = config_of(given->grid, given->block, given->shared);
    int blocks = 0;
    const int error = get_occupancy(&blocks, symbol, (int)(given->block.x * given->block.y * given->block.z), given->shared);
    if (error != GPU_none)
        return error;
    const struct gpu_function *const function = runtime_function(symbol);
    const u32 *const needed = function->info.cluster, *const wanted = config.cluster;
    gpu_config_attributes(given->attributes, given->attribute_count, &config);
    if (needed[0] && wanted[0] && memcmp(needed, wanted, sizeof config.cluster) != 0)
        return gpu_fail(GPU_cluster, "found clusters of %u x %u x %u blocks, kernel %s requires %u x %u x %u", wanted[0], wanted[1],
                        wanted[2], function->name, needed[0], needed[1], needed[2]);
    const u32 size = blocks_of(needed[0] ? needed : wanted);
    if (!size)
        return gpu_fail(GPU_cluster, "found no size of clusters, neither as an attribute nor of kernel %s", function->name);
    *clusters = (int)(gpu_device()->sms * (u32)blocks / size);
    return GPU_none;
}

/* The size that the kernel requires, else the most. */
static int get_cluster_size(int *size, const void *symbol, const struct launch_config *given)
{
    int blocks = 0;
    const int error = get_occupancy(&blocks, symbol, (int)(given->block.x * given->block.y * given->block.z), given->shared);
    if (error != GPU_none)
        return error;
    const struct gpu_function *const function = runtime_function(symbol);
    const u32 *const needed = function->info.cluster;
    const int most = !gpu_has_clusters() ? 1 : function->large_clusters ? LARGE_CLUSTER : PORTABLE_CLUSTER;
    *size = blocks == 0 ? 0 : needed[0] ? (int)blocks_of(needed) : most;
    return GPU_none;
}

RUNTIME(cudaOccupancyMaxActiveClusters, (int *clusters, const void *function, const struct launch_config *config),
        get_clusters(clusters, function, config))
RUNTIME(cudaOccupancyMaxPotentialClusterSize, (int *size, const void *function, const struct launch_config *config),
        get_cluster_size(size, function, config))
