#include "capture/cuda/core/task.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/core/event.h"
#include "capture/cuda/core/record.h"

/* ---- Checks ---- */

/* Bytes from the first to the last of rows. */
static u64 extent_of(u64 width, u64 height, u64 depth, u64 pitch, u64 slice)
{
    return width == 0 || height == 0 || depth == 0 ? 0 : (depth - 1) * slice + (height - 1) * pitch + width;
}

static int check_side(const char *side, const u8 *at, u64 bytes)
{
    const struct gpu_range *const range = gpu_memory_at(at);
    const u64 offset = range ? (uintptr_t)at - range->address : 0;
    if (bytes == 0)
        return GPU_none;
    if (!at)
        return gpu_fail(GPU_value, "found a null pointer as %s of %" PRIu64 " bytes", side, bytes);
    if (range && bytes > range->bytes - offset)
        return gpu_fail(GPU_value, "the %s of %" PRIu64 " bytes begins at byte %" PRIu64 " of memory of %" PRIu64 " bytes", side,
                        bytes, offset, range->bytes);
    return GPU_none;
}

int gpu_copy_check(const struct gpu_copy *copy)
{
    const int error =
        check_side("source", copy->from, extent_of(copy->width, copy->height, copy->depth, copy->from_pitch, copy->from_slice));
    return error != GPU_none ? error
                             : check_side("destination", copy->to,
                                          extent_of(copy->width, copy->height, copy->depth, copy->to_pitch, copy->to_slice));
}

int gpu_fill_check(const struct gpu_fill *fill)
{
    return check_side("destination", fill->to, extent_of(fill->width, fill->height, fill->depth, fill->pitch, fill->slice));
}

/* ---- Execution ---- */

static void run_copy(const struct gpu_copy *copy)
{
    for (u64 z = 0; z < copy->depth; z++)
        for (u64 y = 0; y < copy->height; y++)
            memmove(copy->to + z * copy->to_slice + y * copy->to_pitch, copy->from + z * copy->from_slice + y * copy->from_pitch,
                    copy->width);
}

static void run_fill(const struct gpu_fill *fill)
{
    for (u64 z = 0; z < fill->depth; z++)
        for (u64 y = 0; y < fill->height; y++) {
            u8 *const row = fill->to + z * fill->slice + y * fill->pitch;
            if (fill->element == 1)
                memset(row, (int)fill->value, fill->width);
            else
                for (u64 x = 0; x < fill->width; x += fill->element)
                    memcpy(row + x, &fill->value, fill->element);
        }
}

static int run_free(void *address)
{
    struct gpu_range *const range = gpu_memory_begin(address, GPU_DEVICE, GPU_DEVICE);
    if (!range)
        return gpu_fail(GPU_value, "%p is no memory of cudaMallocAsync", address);
    if (!range->is_kept)
        gpu_memory_remove(range);
    return GPU_none;
}

int gpu_task_run(const struct gpu_task *task)
{
    switch (task->kind) {
    case GPU_TASK_kernel:
        return gpu_launch(task->function, &task->config, task->arguments);
    case GPU_TASK_copy:
        run_copy(&task->copy);
        return GPU_none;
    case GPU_TASK_fill:
        run_fill(&task->fill);
        return GPU_none;
    case GPU_TASK_call:
        gpu_pause();
        task->call(task->data);
        gpu_resume();
        return GPU_none;
    case GPU_TASK_record:
        gpu_event_record(task->event);
        return GPU_none;
    case GPU_TASK_free:
        return run_free(task->data);
    default:
        return GPU_none;
    }
}

/* ---- Copies of tasks ---- */

bool gpu_task_clone(const struct gpu_task *task, struct gpu_task *to)
{
    const u32 bytes = task->kind == GPU_TASK_kernel ? gpu_argument_bytes(task->function) : 0;
    *to = *task;
    to->arguments = malloc((size_t)bytes + 1);
    if (to->arguments && bytes > 0)
        memcpy(to->arguments, task->arguments, bytes);
    return to->arguments != NULL;
}

void gpu_task_free(struct gpu_task *task)
{
    free(task->arguments);
    task->arguments = NULL;
}

static int begin_kernel(struct gpu_function *function, const struct gpu_config *config, struct gpu_task *task)
{
    *task = (struct gpu_task){.kind = GPU_TASK_kernel, .function = function, .config = *config};
    const int error = gpu_launch_check(function, config);
    if (error != GPU_none) {
        gpu_record_refused(function->name, error);
        return error;
    }
    task->arguments = calloc(1, (size_t)gpu_argument_bytes(function) + 1);
    return task->arguments ? GPU_none : GPU_memory;
}

int gpu_task_kernel(struct gpu_function *function, const struct gpu_config *config, void *const *arguments, struct gpu_task *task)
{
    const int error = begin_kernel(function, config, task);
    for (u32 n = 0; error == GPU_none && n < function->info.parameters; n++) {
        if (!arguments || !arguments[n])
            return gpu_fail(GPU_value, "argument %u of kernel %s is missing", n, function->name);
        memcpy(task->arguments + gpu_argument_offset(function, n), arguments[n], function->parameters[n].bytes);
    }
    return error;
}

int gpu_task_packed(struct gpu_function *function, const struct gpu_config *config, const void *arguments, size_t bytes,
                    struct gpu_task *task)
{
    const int error = begin_kernel(function, config, task);
    if (error != GPU_none)
        return error;
    if (bytes < gpu_argument_bytes(function))
        return gpu_fail(GPU_value, "found %zu bytes of arguments, kernel %s takes %u", bytes, function->name,
                        gpu_argument_bytes(function));
    memcpy(task->arguments, arguments, gpu_argument_bytes(function));
    return GPU_none;
}
