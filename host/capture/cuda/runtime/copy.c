/* Copies and fills. Bytes are copied at once, so the asynchronous functions are the others on a stream. */
#include "capture/cuda/runtime/api.h"

/* ---- Directions ---- */

/* Whether the device may access an address: all memory that it knows. */
static bool is_known(const void *address)
{
    return gpu_memory_at(address) != NULL;
}

/* The direction must agree with the addresses, as far as they tell. */
static int check_direction(const struct gpu_copy *copy, int direction)
{
    const bool to_device = direction == GPU_TO_DEVICE || direction == GPU_WITHIN_DEVICE;
    const bool from_device = direction == GPU_TO_HOST || direction == GPU_WITHIN_DEVICE;
    if (direction < 0 || direction > GPU_ANY)
        return gpu_fail(GPU_direction, "found direction %d, allowed are 0 to 4", direction);
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return GPU_none;
    if (to_device && !is_known(copy->to))
        return gpu_fail(GPU_value, "the destination %p is no memory of the device", (const void *)copy->to);
    if (from_device && !is_known(copy->from))
        return gpu_fail(GPU_value, "the source %p is no memory of the device", (const void *)copy->from);
    return GPU_none;
}

static int submit_copy(const struct gpu_copy *copy, int direction, void *stream)
{
    const struct gpu_task task = {.kind = GPU_TASK_copy, .copy = *copy};
    int error = check_direction(copy, direction);
    if (error == GPU_none)
        error = gpu_copy_check(copy);
    return error == GPU_none ? gpu_submit(stream, &task) : error;
}

/* ---- One dimension ---- */

static int copy(void *to, const void *from, size_t bytes, int direction, void *stream)
{
    const struct gpu_copy row = {.from = from, .to = to, .width = bytes, .height = 1, .depth = 1};
    return submit_copy(&row, direction, stream);
}

RUNTIME(cudaMemcpy, (void *to, const void *from, size_t bytes, int direction), copy(to, from, bytes, direction, NULL))
SAME(cudaMemcpy, cudaMemcpy_ptds)
RUNTIME(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int direction, void *stream),
        copy(to, from, bytes, direction, stream))
SAME(cudaMemcpyAsync, cudaMemcpyAsync_ptsz)
RUNTIME(cudaMemcpyPeer, (void *to, int to_device, const void *from, int from_device, size_t bytes),
        to_device || from_device ? gpu_fail(GPU_device, "there is one device") : copy(to, from, bytes, GPU_WITHIN_DEVICE, NULL))
RUNTIME(cudaMemcpyPeerAsync, (void *to, int to_device, const void *from, int from_device, size_t bytes, void *stream),
        to_device || from_device ? gpu_fail(GPU_device, "there is one device") : copy(to, from, bytes, GPU_WITHIN_DEVICE, stream))

/* ---- Symbols ---- */

static int symbol_bytes(const void *symbol, size_t bytes, size_t offset, u8 **at)
{
    struct gpu_range *range;
    const int error = runtime_variable(symbol, &range);
    if (error != GPU_none)
        return error;
    if (offset > range->bytes || bytes > range->bytes - offset)
        return gpu_fail(GPU_value, "found %zu bytes at byte %zu of variable %s, which has %llu", bytes, offset, range->variable,
                        (unsigned long long)range->bytes);
    *at = range->data + offset;
    return GPU_none;
}

static int copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset, int direction, void *stream)
{
    u8 *at = NULL;
    const int error = symbol_bytes(symbol, bytes, offset, &at);
    return error == GPU_none ? copy(at, from, bytes, direction, stream) : error;
}

static int copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int direction, void *stream)
{
    u8 *at = NULL;
    const int error = symbol_bytes(symbol, bytes, offset, &at);
    return error == GPU_none ? copy(to, at, bytes, direction, stream) : error;
}

RUNTIME(cudaMemcpyToSymbol, (const void *symbol, const void *from, size_t bytes, size_t offset, int direction),
        copy_to_symbol(symbol, from, bytes, offset, direction, NULL))
SAME(cudaMemcpyToSymbol, cudaMemcpyToSymbol_ptds)
RUNTIME(cudaMemcpyToSymbolAsync, (const void *symbol, const void *from, size_t bytes, size_t offset, int direction, void *stream),
        copy_to_symbol(symbol, from, bytes, offset, direction, stream))
SAME(cudaMemcpyToSymbolAsync, cudaMemcpyToSymbolAsync_ptsz)
RUNTIME(cudaMemcpyFromSymbol, (void *to, const void *symbol, size_t bytes, size_t offset, int direction),
        copy_from_symbol(to, symbol, bytes, offset, direction, NULL))
SAME(cudaMemcpyFromSymbol, cudaMemcpyFromSymbol_ptds)
RUNTIME(cudaMemcpyFromSymbolAsync, (void *to, const void *symbol, size_t bytes, size_t offset, int direction, void *stream),
        copy_from_symbol(to, symbol, bytes, offset, direction, stream))
SAME(cudaMemcpyFromSymbolAsync, cudaMemcpyFromSymbolAsync_ptsz)

/* ---- Two dimensions ---- */

static int copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int direction,
                     void *stream)
{
    const struct gpu_copy rows = {
        .from = from, .to = to, .from_pitch = from_pitch, .to_pitch = to_pitch, .width = width, .height = height, .depth = 1};
    if (height > 1 && (width > to_pitch || width > from_pitch))
        return gpu_fail(GPU_pitch, "found rows of %zu bytes and pitches of %zu (source) and %zu (destination)", width, from_pitch,
                        to_pitch);
    return submit_copy(&rows, direction, stream);
}

RUNTIME(cudaMemcpy2D, (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int direction),
        copy_rows(to, to_pitch, from, from_pitch, width, height, direction, NULL))
SAME(cudaMemcpy2D, cudaMemcpy2D_ptds)
RUNTIME(cudaMemcpy2DAsync,
        (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int direction, void *stream),
        copy_rows(to, to_pitch, from, from_pitch, width, height, direction, stream))
SAME(cudaMemcpy2DAsync, cudaMemcpy2DAsync_ptsz)

/* ---- Fills ---- */

static int fill(struct gpu_fill what, void *stream)
{
    const struct gpu_task task = {.kind = GPU_TASK_fill, .fill = what};
    const int error = gpu_fill_check(&what);
    if (error != GPU_none)
        return error;
    if (what.width > 0 && what.height > 0 && what.depth > 0 && !is_known(what.to))
        return gpu_fail(GPU_value, "%p is no memory of the device", (void *)what.to);
    return gpu_submit(stream, &task);
}

static int fill_row(void *to, int value, size_t bytes, void *stream)
{
    return fill((struct gpu_fill){.to = to, .width = bytes, .height = 1, .depth = 1, .value = (u8)value, .element = 1}, stream);
}

RUNTIME(cudaMemset, (void *to, int value, size_t bytes), fill_row(to, value, bytes, NULL))
SAME(cudaMemset, cudaMemset_ptds)
RUNTIME(cudaMemsetAsync, (void *to, int value, size_t bytes, void *stream), fill_row(to, value, bytes, stream))
SAME(cudaMemsetAsync, cudaMemsetAsync_ptsz)

static int fill_rows(void *to, size_t pitch, int value, size_t width, size_t height, void *stream)
{
    return fill(
        (struct gpu_fill){.to = to, .pitch = pitch, .width = width, .height = height, .depth = 1, .value = (u8)value, .element = 1},
        stream);
}

RUNTIME(cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
        fill_rows(to, pitch, value, width, height, NULL))
SAME(cudaMemset2D, cudaMemset2D_ptds)
RUNTIME(cudaMemset2DAsync, (void *to, size_t pitch, int value, size_t width, size_t height, void *stream),
        fill_rows(to, pitch, value, width, height, stream))
SAME(cudaMemset2DAsync, cudaMemset2DAsync_ptsz)

static int fill_slices(struct gpu_pitched to, int value, struct gpu_extent extent, void *stream)
{
    return fill((struct gpu_fill){.to = to.data,
                                  .pitch = to.pitch,
                                  .slice = to.pitch * to.height,
                                  .width = extent.width,
                                  .height = extent.height,
                                  .depth = extent.depth,
                                  .value = (u8)value,
                                  .element = 1},
                stream);
}

RUNTIME(cudaMemset3D, (struct gpu_pitched to, int value, struct gpu_extent extent), fill_slices(to, value, extent, NULL))
SAME(cudaMemset3D, cudaMemset3D_ptds)
RUNTIME(cudaMemset3DAsync, (struct gpu_pitched to, int value, struct gpu_extent extent, void *stream),
        fill_slices(to, value, extent, stream))
SAME(cudaMemset3DAsync, cudaMemset3DAsync_ptsz)
