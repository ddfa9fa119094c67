/* Use of parameters in a kernel, for structs and for PTX types that do not separate pointers from numbers. */
#include <stdlib.h>

#include "frontend/exec/arithmetic/value.h"

#include "frontend/exec/launch/argument_type.h"

struct use {
    const struct ws_kernel *kernel;
    bool *holds;         /* by slot: the parameter, possibly with something added */
    bool read, accessed; /* used by any operation; used as an address */
    u32 bytes;           /* of an address */
};

static bool holds(const struct use *use, u16 slot)
{
    return slot != WS_SLOT_NONE && use->holds[slot];
}

static bool is_address(const struct use *use, u32 n)
{
    const struct ws_op *const op = &use->kernel->ops[n];
    switch (use->kernel->program[n].class_) {
    case WS_CLASS_load:
    case WS_CLASS_store:
    case WS_CLASS_atomic:
        return holds(use, op->src[0]);
    default:
        return (op->opcode == WS_OP_cvta || op->opcode == WS_OP_cvta_to || op->opcode == WS_OP_isspacep ||
                op->opcode == WS_OP_prefetch) &&
               holds(use, op->src[0]);
    }
}

/* Whether the result is a source, moved or with something added. */
static bool passes_on(const struct use *use, const struct ws_op *op)
{
    switch (op->opcode) {
    case WS_OP_mov:
    case WS_OP_sub:
        return holds(use, op->src[0]);
    case WS_OP_add:
    case WS_OP_and:
    case WS_OP_or:
    case WS_OP_selp:
    case WS_OP_cmov:
        return holds(use, op->src[0]) || holds(use, op->src[1]);
    case WS_OP_mad_lo:
    case WS_OP_mad_wide:
        return holds(use, op->src[2]);
    default:
        return false;
    }
}

/* One walk over all operations; true if it has found more. */
static bool walk(struct use *use)
{
    bool more = false;
    for (u32 n = 0; n < use->kernel->op_count; n++) {
        const struct ws_op *const op = &use->kernel->ops[n];
        for (u32 s = 0; s < WS_OP_SOURCES; s++)
            use->read |= holds(use, op->src[s]);
        use->accessed |= is_address(use, n);
        if (op->width == use->bytes && op->dst[0] != WS_SLOT_NONE && !use->holds[op->dst[0]] && passes_on(use, op))
            more = use->holds[op->dst[0]] = true;
    }
    return more;
}

bool ws_parameter_is_number(const struct ws_kernel *kernel, u32 offset, u32 bytes)
{
    struct use use = {
        .kernel = kernel, .bytes = bytes, .holds = calloc((size_t)kernel->registers + kernel->input_count + 1, sizeof *use.holds)};
    if (!use.holds)
        return false;
    for (u32 n = 0; n < kernel->input_count; n++)
        use.holds[kernel->registers + n] = kernel->inputs[n].kind == WS_INPUT_parameter && kernel->inputs[n].value == offset;
    while (walk(&use) && !use.accessed)
        ;
    free(use.holds);
    return use.read && !use.accessed;
}

/* ---- Structs ---- */

/* The first load of the kernel from byte `at` of its parameters on; the widest of several. */
static const struct ws_input *next_load(const struct ws_kernel *kernel, u32 at)
{
    const struct ws_input *found = NULL;
    for (u32 n = 0; n < kernel->input_count; n++) {
        const struct ws_input *const input = &kernel->inputs[n];
        if (input->kind != WS_INPUT_parameter || input->value < at)
            continue;
        if (!found || input->value < found->value ||
            (input->value == found->value && ws_value_bytes(input->type) > ws_value_bytes(found->type)))
            found = input;
    }
    return found;
}

static const char *member_element(u8 type)
{
    static const char *const names[WS_TYPES] = {
        [WS_TYPE_u8] = "u8",   [WS_TYPE_u16] = "u16",  [WS_TYPE_u32] = "u32",   [WS_TYPE_u64] = "u64",   [WS_TYPE_s8] = "i8",
        [WS_TYPE_s16] = "i16", [WS_TYPE_s32] = "i32",  [WS_TYPE_s64] = "i64",   [WS_TYPE_f32] = "f32",   [WS_TYPE_f64] = "f64",
        [WS_TYPE_f16] = "u16", [WS_TYPE_bf16] = "u16", [WS_TYPE_f16x2] = "u32", [WS_TYPE_bf16x2] = "u32"};
    return names[type];
}

bool ws_parameter_member(const struct ws_kernel *kernel, const struct ws_kernel_parameter *parameter, u32 n,
                         struct ws_member_info *member)
{
    const u32 end = parameter->offset + parameter->bytes;
    u32 at = parameter->offset;
    for (u32 m = 0; at < end; m++) {
        const struct ws_input *const load = next_load(kernel, at);
        const u32 start = load && load->value < end ? (u32)load->value : end;
        const bool gap = start > at;
        const u32 bytes = gap ? start - at : ws_value_bytes(load->type);
        *member = (struct ws_member_info){.bytes = bytes, .element = gap ? NULL : member_element(load->type)};
        if (m == 0 && start == end) /* nothing is told */
            return false;
        if (!gap && bytes == 8 && load->type != WS_TYPE_f64)
            member->is_pointer = !ws_parameter_is_number(kernel, at, bytes);
        if (m == n)
            return true;
        at += bytes;
    }
    return false;
}
