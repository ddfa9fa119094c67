/* Copies of boxes, and of arrays: these are memory without gaps, whose rows follow each other. */
#include "capture/cuda/runtime/array.h"

/* A side of a copy: where it begins, and bytes between rows and slices. */
struct side {
    u8 *at;
    u64 pitch, slice;
};

static struct side array_side(const struct gpu_array *array, const struct gpu_pos *at)
{
    const u64 pitch = array->width * array->element, slice = pitch * array->height;
    return (struct side){array->range->data + at->z * slice + at->y * pitch + at->x * array->element, pitch, slice};
}

static struct side linear_side(const struct gpu_pitched *from, const struct gpu_pos *at)
{
    const u64 slice = from->pitch * from->height;
    return (struct side){(u8 *)from->data + at->z * slice + at->y * from->pitch + at->x, from->pitch, slice};
}

static bool fits(const struct gpu_array *array, const struct gpu_pos *at, const struct gpu_extent *extent)
{
    return !array || (at->x + extent->width <= array->width && at->y + extent->height <= array->height &&
                      at->z + extent->depth <= array->depth);
}

int runtime_copy_3d(const struct gpu_copy_3d *from, struct gpu_copy *copy)
{
    struct gpu_array *const source = gpu_array_find(from->from_array), *const target = gpu_array_find(from->to_array);
    if ((from->from_array && !source) || (from->to_array && !target))
        return gpu_fail(GPU_handle, "%p is no array", from->from_array && !source ? from->from_array : from->to_array);
    if (!fits(source, &from->from_at, &from->extent) || !fits(target, &from->to_at, &from->extent))
        return gpu_fail(GPU_value, "the box of %zu x %zu x %zu leaves the array", from->extent.width, from->extent.height,
                        from->extent.depth);
    const struct side in = source ? array_side(source, &from->from_at) : linear_side(&from->from, &from->from_at);
    const struct side out = target ? array_side(target, &from->to_at) : linear_side(&from->to, &from->to_at);
    const u64 element = source ? source->element : target ? target->element : 1;
    *copy = (struct gpu_copy){.from = in.at,
                              .to = out.at,
                              .from_pitch = in.pitch,
                              .from_slice = in.slice,
                              .to_pitch = out.pitch,
                              .to_slice = out.slice,
                              .width = from->extent.width * element,
                              .height = from->extent.height,
                              .depth = from->extent.depth};
    return GPU_none;
}

static int submit(const struct gpu_copy *copy, void *stream)
{
    const struct gpu_task task = {.kind = GPU_TASK_copy, .copy = *copy};
    const int error = gpu_copy_check(copy);
    return error == GPU_none ? gpu_submit(stream, &task) : error;
}

static int copy_3d(const struct gpu_copy_3d *from, void *stream)
{
    struct gpu_copy copy;
    const int error = runtime_copy_3d(from, &copy);
    return error == GPU_none ? submit(&copy, stream) : error;
}

RUNTIME(cudaMemcpy3D, (const struct gpu_copy_3d *from), copy_3d(from, NULL))
SAME(cudaMemcpy3D, cudaMemcpy3D_ptds)
RUNTIME(cudaMemcpy3DAsync, (const struct gpu_copy_3d *from, void *stream), copy_3d(from, stream))
SAME(cudaMemcpy3DAsync, cudaMemcpy3DAsync_ptsz)

/* ---- Rows of an array: x in bytes ---- */

/* Bytes at an offset of an array's first slice; NULL, after a message, if a box of bytes x rows leaves it. */
static u8 *array_at(void *handle, size_t x, size_t y, size_t bytes, size_t rows, u64 *pitch)
{
    const struct gpu_array *const array = gpu_array_find(handle);
    *pitch = array ? array->width * array->element : 0;
    if (array && x + bytes <= *pitch && y + rows <= array->height)
        return array->range->data + y * *pitch + x;
    gpu_fail(GPU_value, array ? "%zu rows of %zu bytes leave the array" : "found no array for %zu rows of %zu bytes", rows, bytes);
    return NULL;
}

static int to_array(void *handle, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, void *stream)
{
    struct gpu_copy copy = {.from = from, .from_pitch = pitch, .width = width, .height = height, .depth = 1};
    copy.to = array_at(handle, x, y, width, height, &copy.to_pitch);
    return copy.to ? submit(&copy, stream) : GPU_value;
}

static int from_array(void *to, size_t pitch, void *handle, size_t x, size_t y, size_t width, size_t height, void *stream)
{
    struct gpu_copy copy = {.to = to, .to_pitch = pitch, .width = width, .height = height, .depth = 1};
    copy.from = array_at(handle, x, y, width, height, &copy.from_pitch);
    return copy.from ? submit(&copy, stream) : GPU_value;
}

RUNTIME(cudaMemcpy2DToArray,
        (void *array, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int direction),
        direction <= GPU_ANY ? to_array(array, x, y, from, pitch, width, height, NULL) : GPU_direction)
SAME(cudaMemcpy2DToArray, cudaMemcpy2DToArray_ptds)
RUNTIME(cudaMemcpy2DToArrayAsync,
        (void *array, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int direction, void *stream),
        direction <= GPU_ANY ? to_array(array, x, y, from, pitch, width, height, stream) : GPU_direction)
SAME(cudaMemcpy2DToArrayAsync, cudaMemcpy2DToArrayAsync_ptsz)
RUNTIME(cudaMemcpy2DFromArray,
        (void *to, size_t pitch, void *array, size_t x, size_t y, size_t width, size_t height, int direction),
        direction <= GPU_ANY ? from_array(to, pitch, array, x, y, width, height, NULL) : GPU_direction)
SAME(cudaMemcpy2DFromArray, cudaMemcpy2DFromArray_ptds)
RUNTIME(cudaMemcpy2DFromArrayAsync,
        (void *to, size_t pitch, void *array, size_t x, size_t y, size_t width, size_t height, int direction, void *stream),
        direction <= GPU_ANY ? from_array(to, pitch, array, x, y, width, height, stream) : GPU_direction)
SAME(cudaMemcpy2DFromArrayAsync, cudaMemcpy2DFromArrayAsync_ptsz)

/* Bytes that may cover several rows: these follow each other. */
static int to_array_bytes(void *handle, size_t x, size_t y, const void *from, size_t bytes, void *stream)
{
    const struct gpu_array *const array = gpu_array_find(handle);
    struct gpu_copy copy = {.from = from, .width = bytes, .height = 1, .depth = 1};
    if (!array)
        return gpu_fail(GPU_handle, "%p is no array", handle);
    copy.to = array->range->data + y * array->width * array->element + x;
    return submit(&copy, stream);
}

static int from_array_bytes(void *to, void *handle, size_t x, size_t y, size_t bytes, void *stream)
{
    const struct gpu_array *const array = gpu_array_find(handle);
    struct gpu_copy copy = {.to = to, .width = bytes, .height = 1, .depth = 1};
    if (!array)
        return gpu_fail(GPU_handle, "%p is no array", handle);
    copy.from = array->range->data + y * array->width * array->element + x;
    return submit(&copy, stream);
}

RUNTIME(cudaMemcpyToArray, (void *array, size_t x, size_t y, const void *from, size_t bytes, int direction),
        direction <= GPU_ANY ? to_array_bytes(array, x, y, from, bytes, NULL) : GPU_direction)
RUNTIME(cudaMemcpyFromArray, (void *to, void *array, size_t x, size_t y, size_t bytes, int direction),
        direction <= GPU_ANY ? from_array_bytes(to, array, x, y, bytes, NULL) : GPU_direction)
