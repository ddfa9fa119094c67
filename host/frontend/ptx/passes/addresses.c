#include "frontend/ptx/passes/addresses.h"

/* Ignores larger offsets: no parameter is that large. */
enum { FARTHEST = 0x10000 };

static const struct ptx_address unknown = {.known = false};

static bool is_parameter_space(u8 space)
{
    return space == WS_SPACE_parameter || space == PTX_SPACE_CALL;
}

struct ptx_address ptx_address_of(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, u16 slot)
{
    if (slot == WS_SLOT_NONE)
        return unknown;
    if (ptx_is_register(&kernel->body, slot))
        return addresses->of[slot];
    const struct ws_input *input = ptx_input(&kernel->body, slot);
    if (input->kind != WS_INPUT_address || input->space != WS_SPACE_parameter)
        return unknown;
    return (struct ptx_address){.known = true, .object = (u32)input->value, .offset = (i32)(input->value >> 32)};
}

/* The constant that a slot holds, if it is a small one. */
static bool small_constant(const struct ptx_kernel *kernel, u16 slot, i32 *value)
{
    if (slot == WS_SLOT_NONE || ptx_is_register(&kernel->body, slot))
        return false;
    const struct ws_input *input = ptx_input(&kernel->body, slot);
    *value = (i32)(u32)input->value;
    return input->kind == WS_INPUT_constant && input->value + 0x10000u < 0x20000u;
}

static struct ptx_address derive(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, const struct ws_op *op)
{
    i32 offset;
    if (op->guard != WS_SLOT_NONE)
        return unknown;
    if (op->opcode == WS_OP_mov)
        return ptx_address_of(kernel, addresses, op->src[0]);
    if (op->opcode != WS_OP_add || !small_constant(kernel, op->src[1], &offset))
        return unknown;
    const struct ptx_address base = ptx_address_of(kernel, addresses, op->src[0]);
    const int64_t sum = (int64_t)base.offset + offset;
    if (!base.known || sum < 0 || sum >= FARTHEST)
        return unknown;
    return (struct ptx_address){.known = true, .object = base.object, .offset = (i32)sum};
}

/* Compilers emit definitions before uses, so one walk finds almost all; missed ones are merely not optimized. */
static void find_known(struct ptx_kernel *kernel, struct ptx_addresses *addresses)
{
    const struct ptx_body *body = &kernel->body;
    for (size_t n = 0; n < body->op_count; n++)
        for (size_t d = 0; d < WS_OP_RESULTS; d++) {
            const u16 slot = body->ops[n].dst[d];
            if (slot != WS_SLOT_NONE)
                addresses->definition[slot] = addresses->definition[slot] == PTX_NOWHERE ? (u32)n : PTX_NOWHERE - 1;
        }
    for (size_t n = 0; n < body->op_count; n++) {
        const u16 slot = body->ops[n].dst[0];
        if (slot != WS_SLOT_NONE && addresses->definition[slot] == n)
            addresses->of[slot] = derive(kernel, addresses, &body->ops[n]);
    }
}

bool ptx_defines_address(const struct ptx_addresses *addresses, const struct ws_op *op)
{
    return (op->opcode == WS_OP_mov || op->opcode == WS_OP_add) && op->dst[0] != WS_SLOT_NONE && addresses->of[op->dst[0]].known;
}

bool ptx_reaches_object(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, const struct ws_op *op)
{
    return (op->opcode == WS_OP_ld || op->opcode == WS_OP_st) && is_parameter_space(op->space) &&
           ptx_address_of(kernel, addresses, op->src[0]).known;
}

/* Marks the operations that compute the slot's value, back to the origin of the address. */
static void need(const struct ptx_kernel *kernel, struct ptx_addresses *addresses, u16 slot)
{
    while (slot != WS_SLOT_NONE && ptx_is_register(&kernel->body, slot) && addresses->of[slot].known && !addresses->needed[slot]) {
        addresses->needed[slot] = true;
        slot = kernel->body.ops[addresses->definition[slot]].src[0];
    }
}

static void find_needed(struct ptx_kernel *kernel, struct ptx_addresses *addresses)
{
    for (size_t n = 0; n < kernel->body.op_count; n++) {
        const struct ws_op *op = &kernel->body.ops[n];
        if (ptx_defines_address(addresses, op))
            continue;
        for (size_t s = ptx_reaches_object(kernel, addresses, op) ? 1 : 0; s < WS_OP_SOURCES; s++)
            need(kernel, addresses, op->src[s]);
    }
}

enum ws_status ptx_find_addresses(struct ptx_kernel *kernel, struct ptx_addresses *addresses)
{
    const size_t registers = kernel->body.register_count;
    addresses->of = ws_arena_array(kernel->arena, registers, sizeof *addresses->of);
    addresses->definition = ws_arena_array(kernel->arena, registers, sizeof *addresses->definition);
    addresses->needed = ws_arena_array(kernel->arena, registers, sizeof *addresses->needed);
    if (!addresses->of || !addresses->definition || !addresses->needed)
        return ptx_no_memory(kernel->error);
    for (size_t n = 0; n < registers; n++)
        addresses->definition[n] = PTX_NOWHERE;
    find_known(kernel, addresses);
    find_needed(kernel, addresses);
    return WS_STATUS_ok;
}
