#include "capture/cuda/core/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/core/record.h"

enum { MOST_THREADS = 1024, MOST_Z = 64, STANDARD_SHARED = 49152, MOST_SIDE = 65535, MOST_CLUSTER = 16 };
#define MOST_ITEMS UINT64_C(0xFFFFFFFF)

/* ---- Arguments ---- */

u32 gpu_argument_offset(const struct gpu_function *function, u32 n)
{
    u32 offset = 0;
    for (u32 i = 0; i <= n; i++) {
        const struct ws_argument_info *const info = &function->parameters[i];
        const u32 align = info->align ? info->align : 1;
        offset = (offset + align - 1) / align * align;
        if (i < n)
            offset += info->bytes;
    }
    return offset;
}

u32 gpu_argument_bytes(const struct gpu_function *function)
{
    const u32 count = function->info.parameters;
    return count ? gpu_argument_offset(function, count - 1) + function->parameters[count - 1].bytes : 0;
}

/* ---- Attributes ---- */

struct attribute {
    int kind;
    char pad[4];
    union {
        char room[64];
        int number;
        u32 sizes[3];
    } value;
};
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

void gpu_config_attributes(const void *attributes, u32 count, struct gpu_config *config)
{
    const struct attribute *const all = attributes;
    for (u32 n = 0; n < count; n++) {
        if (all[n].kind == ATTRIBUTE_COOPERATIVE)
            config->cooperative = all[n].value.number != 0;
        if (all[n].kind == ATTRIBUTE_CLUSTER)
            memcpy(config->cluster, all[n].value.sizes, sizeof config->cluster);
    }
}

/* ---- Checks ---- */

u32 gpu_occupancy(const struct gpu_function *function, u32 threads, u64 dynamic_shared)
{
    const struct ws_demand demand = {.threads = threads,
                                     .registers = function->info.registers,
                                     .shared_bytes = function->info.shared_bytes + (u32)dynamic_shared};
    return threads ? ws_machine_occupancy(&gpu_device()->machine, &demand).blocks : 0;
}

static int check_shape(const struct gpu_config *config)
{
    const u64 threads = (u64)config->block[0] * config->block[1] * config->block[2];
    if (threads == 0 || threads > MOST_THREADS || config->block[2] > MOST_Z)
        return gpu_fail(GPU_configuration, "found a block of %u x %u x %u threads, allowed are 1 to %d, at most %d in z",
                        config->block[0], config->block[1], config->block[2], MOST_THREADS, MOST_Z);
    if (!config->grid[0] || !config->grid[1] || !config->grid[2] || config->grid[1] > MOST_SIDE || config->grid[2] > MOST_SIDE)
        return gpu_fail(GPU_configuration,
                        "found a grid of %u x %u x %u blocks, allowed are 1 to %d in y and z, and at least 1 in x", config->grid[0],
                        config->grid[1], config->grid[2], MOST_SIDE);
    for (u32 n = 0; n < 3; n++)
        if ((u64)config->grid[n] * config->block[n] > MOST_ITEMS)
            return gpu_uncovered("a grid of more than %" PRIu64 " threads in one direction", MOST_ITEMS);
    return GPU_none;
}

/* Clusters that an attribute of the launch asks for. */
static int check_cluster(const struct gpu_function *function, const struct gpu_config *config)
{
    const u32 *const size = config->cluster, *const grid = config->grid, *const own = function->info.cluster;
    const u64 blocks = (u64)size[0] * size[1] * size[2];
    size_t length;
    const char *suffix;
    if (!size[0] && !size[1] && !size[2])
        return GPU_none;
    if (own[0] && memcmp(own, size, sizeof function->info.cluster) != 0)
        return gpu_fail(GPU_cluster, "found clusters of %u x %u x %u blocks, kernel %s requires %u x %u x %u (__cluster_dims__)",
                        size[0], size[1], size[2], function->name, own[0], own[1], own[2]);
    if (blocks == 0 || blocks > MOST_CLUSTER || grid[0] % size[0] || grid[1] % size[1] || grid[2] % size[2])
        return gpu_fail(
            GPU_cluster,
            "found clusters of %u x %u x %u blocks in a grid of %u x %u x %u, allowed are sizes that divide the grid, at "
            "most %d blocks in all",
            size[0], size[1], size[2], grid[0], grid[1], grid[2], MOST_CLUSTER);
    if (blocks > 1 && !gpu_has_clusters())
        return gpu_fail(GPU_cluster, "found clusters of %u x %u x %u blocks, %s has none; choose h100 with --device-as", size[0],
                        size[1], size[2], gpu_device()->row.name);
    gpu_function_text(function, &length, &suffix);
    if (blocks > 1 && strcmp(suffix, ".ptx") != 0)
        return gpu_uncovered("a launch of machine code with clusters of %u x %u x %u blocks; compile with PTX", size[0], size[1],
                             size[2]);
    return GPU_none;
}

/* Bounds of the kernel itself: __launch_bounds__, __block_size__. */
static int check_bounds(const struct gpu_function *function, const struct gpu_config *config)
{
    const struct ws_kernel_info *const info = &function->info;
    const u32 *const block = config->block, threads = block[0] * block[1] * block[2];
    if (info->most_threads > 0 && threads > info->most_threads)
        return gpu_fail(GPU_value, "found a block of %u threads, kernel %s allows at most %u (__launch_bounds__)", threads,
                        function->name, info->most_threads);
    if (info->block[0] > 0 && memcmp(info->block, block, sizeof info->block) != 0)
        return gpu_fail(GPU_value, "found a block of %u x %u x %u threads, kernel %s requires %u x %u x %u", block[0], block[1],
                        block[2], function->name, info->block[0], info->block[1], info->block[2]);
    return GPU_none;
}

static int check_shared(const struct gpu_function *function, const struct gpu_config *config)
{
    const u64 own = function->info.shared_bytes, all = own + config->shared;
    const u64 most = function->wants_shared ? own + function->dynamic_shared : STANDARD_SHARED;
    if (all <= (most > STANDARD_SHARED ? most : STANDARD_SHARED))
        return GPU_none;
    return gpu_fail(GPU_value,
                    "kernel %s: found %" PRIu64 " bytes of shared memory, allowed are %d, and more (at most %u here) after "
                    "cudaFuncSetAttribute(..., cudaFuncAttributeMaxDynamicSharedMemorySize, ...)",
                    function->name, all, STANDARD_SHARED, gpu_device()->row.shared_block);
}

int gpu_launch_check(struct gpu_function *function, const struct gpu_config *config)
{
    const struct gpu_device *const device = gpu_device();
    int error = gpu_function_load(function);
    if (error == GPU_none)
        error = check_shape(config);
    if (error == GPU_none)
        error = check_cluster(function, config);
    if (error == GPU_none)
        error = check_bounds(function, config);
    if (error == GPU_none)
        error = check_shared(function, config);
    if (error != GPU_none || !config->cooperative)
        return error;
    const u64 blocks = (u64)config->grid[0] * config->grid[1] * config->grid[2];
    const u64 most =
        (u64)device->sms * gpu_occupancy(function, config->block[0] * config->block[1] * config->block[2], config->shared);
    if (blocks > most)
        return gpu_fail(GPU_cooperative, "found %" PRIu64 " blocks of a cooperative launch, %s holds %" PRIu64 " at once", blocks,
                        device->row.name, most);
    return GPU_none;
}

/* ---- Execution ---- */

/* A launch with lists of all memory. */
struct launch {
    struct ws_ndrange range;
    struct gpu_function *function;
    struct gpu_record *record; /* NULL: not recorded */
};

static void touch(void *context, u64 address)
{
    struct launch *const launch = context;
    gpu_record_touch(launch->record, address);
}

static struct ws_buffer buffer_of(const struct gpu_range *range)
{
    return (struct ws_buffer){
        .name = range->name, .data = range->data, .bytes = range->bytes, .address = range->address, .image = range->image};
}

static bool is_own(struct gpu_range *const *variables, u32 count, const struct gpu_range *range)
{
    for (u32 n = 0; n < count; n++)
        if (variables[n] == range)
            return true;
    return false;
}

/* All memory but what only textures reach; variables of the kernel's own image are its variables. */
static bool list_memory(struct launch *launch)
{
    u32 count, variable_count, n;
    struct gpu_range *const *const all = gpu_memory_all(&count);
    struct gpu_range *const *const variables = gpu_function_variables(launch->function, &variable_count);
    struct ws_buffer *const buffers = calloc((size_t)count + 1, sizeof *buffers);
    struct ws_buffer *const initial = calloc((size_t)variable_count + 1, sizeof *initial);
    u32 buffer_count = 0, initial_count = 0;
    launch->range.buffers = buffers;
    launch->range.initial = initial;
    if (!buffers || !initial)
        return false;
    for (n = 0; n < count; n++)
        if (all[n]->kind != GPU_ARRAY && all[n]->bytes > 0 &&
            !(all[n]->kind == GPU_VARIABLE && is_own(variables, variable_count, all[n]))) {
            gpu_memory_refresh(all[n]);
            buffers[buffer_count++] = buffer_of(all[n]);
        }
    for (n = 0; n < variable_count; n++)
        if (variables[n] && variables[n]->bytes > 0) {
            initial[initial_count] = buffer_of(variables[n]);
            initial[initial_count++].name = variables[n]->variable;
        }
    launch->range.buffer_count = buffer_count;
    launch->range.initial_count = initial_count;
    return true;
}

static bool list_arguments(struct launch *launch, const u8 *arguments)
{
    const u32 count = launch->function->info.parameters;
    launch->range.arguments = calloc((size_t)count + 1, sizeof *launch->range.arguments);
    launch->range.argument_count = count;
    for (u32 n = 0; launch->range.arguments && n < count; n++)
        launch->range.arguments[n] =
            (struct ws_argument){.kind = WS_ARGUMENT_SCALAR,
                                 .bytes = launch->function->parameters[n].bytes,
                                 .data = (u8 *)(uintptr_t)arguments + gpu_argument_offset(launch->function, n)};
    return launch->range.arguments != NULL;
}

/* The error of a launch that failed after it had begun. */
static int error_of(enum ws_status status, enum ws_execution_end end)
{
    if (status == WS_STATUS_no_memory)
        return GPU_memory;
    switch (end) {
    case WS_END_outside:
    case WS_END_read_only:
        return GPU_address;
    case WS_END_misaligned:
        return GPU_misaligned;
    case WS_END_assertion:
        return GPU_assertion;
    case WS_END_limit:
    case WS_END_thread_limit:
    case WS_END_stuck:
    case WS_END_too_few:
    case WS_END_cluster_barrier:
        return GPU_timeout;
    default:
        return GPU_launch;
    }
}

static int execute(struct launch *launch, const u8 *arguments)
{
    struct ws_error error;
    char text[GPU_REASON];
    if (!list_memory(launch) || !list_arguments(launch, arguments))
        return GPU_memory;
    launch->record = gpu_record_begin(launch->function, &launch->range);
    launch->range.touch = launch->record ? touch : NULL;
    launch->range.context = launch;
    launch->range.serial = launch->function->serial;
    const enum ws_status status = ws_execute(launch->function->program, gpu_options(), &launch->range, NULL, NULL, &error);
    launch->function->serial = launch->range.serial;
    const char *const reason = status == WS_STATUS_ok ? NULL : gpu_function_reason(launch->function, error.message, text);
    const bool is_refused = status != WS_STATUS_no_memory && launch->range.end == WS_END_refused;
    gpu_record_end(launch->record, reason, is_refused);
    if (status == WS_STATUS_ok)
        return GPU_none;
    if (is_refused)
        return gpu_uncovered("%s", reason);
    const int code = error_of(status, launch->range.end);
    gpu_break(code);
    return gpu_fail(code, "%s%s", reason,
                    launch->range.end == WS_END_outside ? "; with --lenient loads there read zeros, stores are dropped" : "");
}

int gpu_launch(struct gpu_function *function, const struct gpu_config *config, const u8 *arguments)
{
    struct launch launch = {.range = {.kernel = function->name, .shared_bytes = config->shared}, .function = function};
    for (u32 n = 0; n < 3; n++) {
        launch.range.local[n] = config->block[n];
        launch.range.cluster[n] = config->cluster[n];
        launch.range.global[n] = config->grid[n] * config->block[n];
    }
    const int result = execute(&launch, arguments);
    free(launch.range.buffers);
    free((void *)(uintptr_t)launch.range.initial);
    free(launch.range.arguments);
    return result;
}
