/* Buffers of a launch, and pointers into them in the memory of host and kernel. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/launch/plan.h"
#include "frontend/ptx/image.h"

enum { POINTER_BYTES = 8, IMAGE_ALIGNMENT = 512 /* in texture memory */ };

static enum ws_status place(struct ws_plan *plan, const struct ws_buffer *buffer, struct ws_error *error)
{
    u64 base = 0;
    if (buffer->bytes == 0)
        return WS_STATUS_ok;
    if (!buffer->data)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: the buffer %s is without data", plan->kernel->name,
                       buffer->name ? buffer->name : "of the launch");
    if (buffer->image && ws_image_bytes(buffer->image) != buffer->bytes)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: the image %s has %" PRIu64 " bytes, not those of its size, %" PRIu64,
                       plan->kernel->name, buffer->name ? buffer->name : "of the launch", buffer->bytes,
                       ws_image_bytes(buffer->image));
    struct ws_range range = {
        .base = buffer->address, .bytes = buffer->bytes, .host = buffer->data, .name = buffer->name, .image = buffer->image};
    if (buffer->image) {
        range.texture = plan->texture_bytes;
        plan->texture_bytes += (ws_image_tiled_bytes(buffer->image) + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
    }
    return ws_plan_add_range(plan, range, &base, error);
}

static bool lies_in(const void *host, u64 bytes, const void *buffer, u64 buffer_bytes)
{
    const u64 offset = (uintptr_t)host - (uintptr_t)buffer;
    return offset < buffer_bytes && bytes <= buffer_bytes - offset;
}

bool ws_plan_own_buffer(const struct ws_ndrange *launch, const struct ws_argument *argument)
{
    if (argument->kind != WS_ARGUMENT_BUFFER)
        return false;
    for (u32 n = 0; n < launch->buffer_count; n++)
        if (lies_in(argument->data, argument->bytes, launch->buffers[n].data, launch->buffers[n].bytes))
            return false;
    return true;
}

bool ws_plan_address(const struct ws_plan *plan, const void *host, u64 bytes, u64 *address)
{
    for (u32 n = 0; n < plan->memory.count; n++) {
        const struct ws_range *const range = &plan->memory.ranges[n];
        const bool is_it = host == range->host && bytes == range->bytes;
        if (is_it || (n < plan->buffer_ranges && lies_in(host, bytes, range->host, range->bytes))) {
            *address = range->base + ((uintptr_t)host - (uintptr_t)range->host);
            return true;
        }
    }
    return false;
}

enum ws_status ws_plan_link_pointers(const struct ws_plan *plan, const char *name, const u64 *pointers, u32 count, u8 *data,
                                     u64 bytes, struct ws_error *error)
{
    for (u32 n = 0; n < count; n++) {
        const void *host = NULL;
        u64 address = 0;
        if (bytes < POINTER_BYTES || pointers[n] > bytes - POINTER_BYTES)
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: a pointer at byte %" PRIu64 " of %s lies outside of it",
                           plan->kernel->name, pointers[n], name);
        memcpy(&host, data + pointers[n], sizeof host);
        if (host && !ws_plan_address(plan, host, 0, &address))
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: the pointer at byte %" PRIu64 " of %s leads into no buffer",
                           plan->kernel->name, pointers[n], name);
        memcpy(data + pointers[n], &address, POINTER_BYTES);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_plan_place_buffers(struct ws_plan *plan, struct ws_error *error)
{
    const struct ws_ndrange *const launch = plan->launch;
    for (u32 n = 0; n < launch->buffer_count; n++)
        WS_TRY(place(plan, &launch->buffers[n], error));
    plan->buffer_ranges = plan->memory.count;
    for (u32 n = 0; n < launch->buffer_count; n++) {
        struct ws_buffer *const buffer = &launch->buffers[n];
        if (!buffer->linked)
            WS_TRY(ws_plan_link_pointers(plan, buffer->name ? buffer->name : "a buffer", buffer->pointers, buffer->pointer_count,
                                         buffer->data, buffer->bytes, error));
        buffer->linked = true;
    }
    return WS_STATUS_ok;
}

enum ws_status ws_plan_link_argument(struct ws_plan *plan, u32 n, struct ws_error *error)
{
    const struct ws_argument *const argument = &plan->launch->arguments[n];
    const struct ws_kernel_parameter *const parameter = &plan->kernel->parameters[n];
    return ws_plan_link_pointers(plan, parameter->name, argument->pointers, argument->pointer_count,
                                 plan->parameters + parameter->offset, parameter->bytes, error);
}
