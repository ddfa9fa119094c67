/* Where buffers and variables lie, for the kernel and in the trace. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "frontend/exec/launch/plan.h"

enum { CONSTANT_ALIGNMENT = 256, IMAGE_WORD = 4, MOST_COPIED = 16 };

/* Reach of any 32-bit index, signed or not, into 16-byte elements: before a buffer and behind its predecessor. */
#define MOST_GUARD (UINT64_C(128) << 30)

static enum ws_status no_room(const struct ws_plan *plan, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_bad_input, "kernel %s: the arguments exceed the address space", plan->kernel->name);
}

/* ---- Gaps ---- */

static u64 sum(u64 bytes, u64 more)
{
    return more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
}

/* Bytes of all ranges, each with its largest alignment; UINT64_MAX if they exceed the address space. */
static u64 bytes_of_all(const struct ws_plan *plan)
{
    const struct ws_ndrange *const launch = plan->launch;
    u64 bytes = (u64)plan->program->global.bytes + plan->program->constant.bytes;
    for (u32 n = 0; n < launch->buffer_count; n++)
        bytes = sum(bytes, launch->buffers[n].bytes);
    for (u32 n = 0; n < launch->argument_count; n++)
        if (ws_plan_own_buffer(launch, &launch->arguments[n]))
            bytes = sum(bytes, launch->arguments[n].bytes);
    return bytes;
}

void ws_plan_space_out(struct ws_plan *plan)
{
    const bool narrow = plan->program->narrow;
    plan->free_address = narrow ? WS_NARROW_FIRST : WS_FIRST_ADDRESS;
    plan->end_address = narrow ? WS_NARROW_END : WS_SHARED_WINDOW;
    const u64 room = plan->end_address - plan->free_address;
    u64 ranges =
        (u64)plan->launch->buffer_count + plan->program->global.variable_count + plan->program->constant.variable_count + 2;
    for (u32 n = 0; n < plan->launch->argument_count; n++)
        ranges += ws_plan_own_buffer(plan->launch, &plan->launch->arguments[n]);
    const u64 bytes = bytes_of_all(plan);
    u64 guard = MOST_GUARD;
    while (guard > WS_SEGMENT_ALIGNMENT && (bytes > room || ranges > (room - bytes) / (guard + WS_SEGMENT_ALIGNMENT)))
        guard /= 2;
    plan->guard = guard;
}

/* ---- Ranges ---- */

/* The trace's next free address. */
static u64 free_segment(const struct ws_plan *plan)
{
    if (plan->segment_count == 0)
        return WS_FIRST_ADDRESS;
    const struct ws_segment *const last = &plan->segments[plan->segment_count - 1];
    return ws_round_up(last->base + last->bytes, WS_SEGMENT_ALIGNMENT) + WS_SEGMENT_ALIGNMENT;
}

/* A copy of a part is recorded as an access to all its bytes, which may lie behind the end of a buffer. */
static bool copies_parts(const struct ws_kernel *kernel)
{
    bool found = false;
    for (u32 n = 0; n < kernel->op_count; n++)
        found |= (kernel->ops[n].access & WS_ACCESS_PART) != 0;
    return found;
}

enum ws_status ws_plan_add_segment(struct ws_plan *plan, u64 bytes, u64 *base, struct ws_error *error)
{
    *base = free_segment(plan);
    if (*base >= WS_SHARED_WINDOW || bytes >= WS_SHARED_WINDOW - *base)
        return no_room(plan, error);
    plan->segments[plan->segment_count++] =
        (struct ws_segment){.base = *base, .bytes = copies_parts(plan->kernel) ? ws_round_up(bytes, MOST_COPIED) : bytes};
    return WS_STATUS_ok;
}

static void add(struct ws_plan *plan, const struct ws_range *range)
{
    plan->bases[plan->memory.count] = range->base;
    plan->memory.ranges[plan->memory.count++] = *range;
}

/* Adds a range: where the launch places it, else at the next free address. */
static enum ws_status append(struct ws_plan *plan, struct ws_range range, struct ws_error *error)
{
    if (range.base != 0) {
        plan->is_placed = true;
        add(plan, &range);
        return WS_STATUS_ok;
    }
    range.base = plan->free_address;
    if (range.base >= plan->end_address || range.bytes >= plan->end_address - range.base)
        return no_room(plan, error);
    plan->free_address = ws_round_up(range.base + range.bytes, WS_SEGMENT_ALIGNMENT) + plan->guard;
    add(plan, &range);
    return WS_STATUS_ok;
}

static int by_address(const void *one, const void *other)
{
    const struct ws_range *const a = one, *const b = other;
    return (a->base > b->base) - (a->base < b->base);
}

enum ws_status ws_plan_sort(struct ws_plan *plan, struct ws_error *error)
{
    struct ws_memory *const memory = &plan->memory;
    if (!plan->is_placed)
        return WS_STATUS_ok;
    qsort(memory->ranges, memory->count, sizeof *memory->ranges, by_address);
    qsort(memory->constants, memory->count, sizeof *memory->constants, by_address);
    for (u32 n = 1; n < memory->count; n++) {
        const struct ws_range *const range = &memory->ranges[n], *const before = range - 1;
        if (range->base - before->base < before->bytes)
            return ws_fail(error, WS_STATUS_bad_input, "kernel %s: %s at address 0x%" PRIx64 " overlaps %s at 0x%" PRIx64,
                           plan->kernel->name, range->name ? range->name : "a buffer", range->base,
                           before->name ? before->name : "a buffer", before->base);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_plan_add_range(struct ws_plan *plan, struct ws_range range, u64 *base, struct ws_error *error)
{
    const u64 bytes = range.image ? ws_round_up(range.bytes, IMAGE_WORD) : range.bytes; /* accesses are recorded as words */
    WS_TRY(ws_plan_add_segment(plan, bytes, &range.recorded, error));
    WS_TRY(append(plan, range, error));
    *base = plan->bases[plan->memory.count - 1];
    return WS_STATUS_ok;
}

/* ---- Variables ---- */

/* The parts of an image that become ranges, in order. An image without a list of variables is one range. */
static u32 parts_of(const struct ws_module_image *image)
{
    return image->variable_count > 0 && !image->whole ? image->variable_count : image->bytes > 0;
}

static struct ws_module_variable part_of(const struct ws_module_image *image, u32 part)
{
    const bool whole = image->variable_count == 0 || image->whole;
    return whole ? (struct ws_module_variable){.bytes = image->bytes} : image->variables[part];
}

static enum ws_status place_image(struct ws_plan *plan, u32 n, struct ws_error *error)
{
    static const char *const names[] = {"the global variables", "the constant variables"};
    const struct ws_module_image *const image = ws_plan_image(plan, n);
    u64 recorded = 0;
    plan->first_variable[n] = plan->memory.count;
    if (image->bytes == 0)
        return WS_STATUS_ok;
    WS_TRY(ws_plan_copy_variables(plan, n, error));
    WS_TRY(ws_plan_add_segment(plan, image->bytes, &recorded, error));
    for (u32 part = 0; part < parts_of(image); part++) {
        const struct ws_module_variable variable = part_of(image, part);
        const struct ws_buffer *const placed = ws_plan_placed_variable(plan, variable.name);
        const struct ws_range range = {.base = placed ? placed->address : 0,
                                       .bytes = variable.bytes,
                                       .host = placed ? placed->data : plan->variables[n] + variable.offset,
                                       .recorded = recorded + variable.offset,
                                       .name = variable.name ? variable.name : names[n],
                                       .constant = n == 1};
        WS_TRY(append(plan, range, error));
    }
    return WS_STATUS_ok;
}

/* Writes the addresses of variables into initial values. */
static void place_addresses(struct ws_plan *plan, u32 n)
{
    const struct ws_module_image *const image = ws_plan_image(plan, n);
    for (u32 i = 0; i < image->address_count; i++) {
        const struct ws_module_address *const address = &image->addresses[i];
        const u32 to = address->space == WS_SPACE_constant;
        const u64 value = plan->bases[plan->first_variable[to] + address->variable] + address->addend;
        memcpy(plan->variables[n] + address->offset, &value, sizeof value);
    }
}

enum ws_status ws_plan_place_variables(struct ws_plan *plan, struct ws_error *error)
{
    WS_TRY(place_image(plan, 0, error));
    WS_TRY(place_image(plan, 1, error));
    for (u32 n = 0; n < 2; n++) {
        place_addresses(plan, n);
        WS_TRY(ws_plan_set_variables(plan, n, error));
    }
    return WS_STATUS_ok;
}

u64 ws_plan_variable_address(const struct ws_plan *plan, const struct ws_input *input)
{
    const u32 n = input->space == WS_SPACE_constant, part = input->variable ? input->variable - 1 : 0;
    const struct ws_module_image *const image = ws_plan_image(plan, n);
    if (part >= parts_of(image))
        return input->value;
    return plan->bases[plan->first_variable[n] + part] + input->value - part_of(image, part).offset;
}

/* ---- Constant memory ---- */

/* In a trace: the kernel's parameters at its start, then whatever a kernel may read as constant memory. Hardware keeps both behind
 * one cache. */
enum ws_status ws_plan_place_constants(struct ws_plan *plan, struct ws_error *error)
{
    struct ws_memory *const memory = &plan->memory;
    u64 end = plan->kernel->parameter_bytes;
    memory->constants = calloc((size_t)memory->count + 1, sizeof *memory->constants);
    if (!memory->constants)
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", plan->kernel->name);
    for (u32 n = 0; n < memory->count; n++)
        memory->constants[n] = memory->ranges[n];
    for (u32 n = 0; n < plan->first_variable[0]; n++) {
        memory->constants[n].recorded = ws_round_up(end, CONSTANT_ALIGNMENT);
        end = memory->constants[n].recorded + memory->constants[n].bytes;
    }
    for (u32 n = 0; n < 2; n++) {
        const struct ws_module_image *const image = ws_plan_image(plan, n);
        const u64 start = ws_round_up(end, CONSTANT_ALIGNMENT);
        for (u32 part = 0; part < parts_of(image); part++)
            memory->constants[plan->first_variable[n] + part].recorded = start + part_of(image, part).offset;
        end = image->bytes > 0 ? start + image->bytes : end;
    }
    return WS_STATUS_ok;
}
