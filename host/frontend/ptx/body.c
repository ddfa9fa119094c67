#include <string.h>

#include "frontend/ptx/module.h"

/* More than a final kernel may have: room for unreachable code and for operations that passes remove. Every call has a label, so
 * the limit on labels also bounds the expansion of calls to empty functions. */
enum { MOST_OPS = 1 << 18, MOST_LABELS = 1 << 20, MOST_SLOTS = 0xFFF0 };

enum ws_status ptx_no_memory(struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "out of memory while loading PTX");
}

struct ws_op ptx_op(enum ws_opcode opcode, enum ws_type type, u32 line)
{
    struct ws_op op = {.opcode = (u8)opcode, .type = (u8)type, .count = 1, .guard = WS_SLOT_NONE, .line = line};
    memset(op.dst, 0xFF, sizeof op.dst);
    memset(op.src, 0xFF, sizeof op.src);
    return op;
}

enum ws_status ptx_add_op(struct ws_arena *arena, struct ptx_body *body, const struct ws_op *op, struct ws_error *error)
{
    if (body->op_count == MOST_OPS)
        return ws_fail(error, WS_STATUS_bad_input, "%s: more than %d instructions once calls are expanded", body->where,
                       (int)MOST_OPS);
    struct ws_op *ops = ws_arena_grow(arena, body->ops, body->op_count, &body->op_room, sizeof *ops);
    if (!ops)
        return ptx_no_memory(error);
    body->ops = ops;
    body->ops[body->op_count++] = *op;
    return WS_STATUS_ok;
}

/* Adds reads of registers for the operation, under its guard. */
static struct ws_op reading(const struct ws_op *op, const u16 *registers, u32 count)
{
    struct ws_op reads = ptx_op(WS_OP_operands, WS_TYPE_none, op->line);
    reads.guard = op->guard;
    reads.flags = op->flags & WS_OP_NOT_GUARD;
    memcpy(reads.src, registers, count * sizeof *registers);
    return reads;
}

enum ws_status ptx_add_wide_op(struct ws_arena *arena, struct ptx_body *body, const struct ws_op *op, struct ws_error *error)
{
    u16 registers[WS_OP_SOURCES];
    u32 count = 0;
    for (u32 n = 0; n < ptx_listed_sources(op); n++)
        if (ptx_is_register(body, op->src[n]))
            registers[count++] = op->src[n];
    for (u32 n = 0; n + PTX_MOST_READ < count; n += PTX_MOST_READ) {
        const struct ws_op reads = reading(op, registers + n, ws_min(PTX_MOST_READ, count - PTX_MOST_READ - n));
        WS_TRY(ptx_add_op(arena, body, &reads, error));
    }
    return ptx_add_op(arena, body, op, error);
}

static enum ws_status check_slots(const struct ptx_body *body, struct ws_error *error)
{
    if (body->register_count + body->inputs.count >= MOST_SLOTS)
        return ws_fail(error, WS_STATUS_bad_input, "%s: more than %d registers and constants once calls are expanded", body->where,
                       (int)MOST_SLOTS);
    return WS_STATUS_ok;
}

enum ws_status ptx_add_register(struct ws_arena *arena, struct ptx_body *body, u8 width, u16 *slot, struct ws_error *error)
{
    WS_TRY(check_slots(body, error));
    u8 *widths = ws_arena_grow(arena, body->widths, body->register_count, &body->register_room, sizeof *widths);
    if (!widths)
        return ptx_no_memory(error);
    body->widths = widths;
    *slot = (u16)body->register_count;
    body->widths[body->register_count++] = width;
    return WS_STATUS_ok;
}

enum ws_status ptx_add_label(struct ws_arena *arena, struct ptx_body *body, u32 *label, struct ws_error *error)
{
    if (body->label_count == MOST_LABELS)
        return ws_fail(error, WS_STATUS_bad_input, "%s: more than %d labels and calls once calls are expanded", body->where,
                       (int)MOST_LABELS);
    u32 *labels = ws_arena_grow(arena, body->labels, body->label_count, &body->label_room, sizeof *labels);
    if (!labels)
        return ptx_no_memory(error);
    body->labels = labels;
    *label = (u32)body->label_count;
    body->labels[body->label_count++] = PTX_NOWHERE;
    return WS_STATUS_ok;
}

enum ws_status ptx_add_object(struct ws_arena *arena, struct ptx_body *body, const struct ptx_object *object, u32 *number,
                              struct ws_error *error)
{
    struct ptx_object *objects = ws_arena_grow(arena, body->objects, body->object_count, &body->object_room, sizeof *objects);
    if (!objects)
        return ptx_no_memory(error);
    body->objects = objects;
    *number = (u32)body->object_count;
    body->objects[body->object_count++] = *object;
    return WS_STATUS_ok;
}

/* ---- Inputs ---- */

static u32 hash_input(const struct ws_input *input)
{
    const u64 key = input->value ^ (u64)input->kind << 60 ^ (u64)input->type << 52 ^ (u64)input->width << 44 ^
                    (u64)input->space << 36 ^ (u64)input->half << 34;
    return (u32)((key * 0x9E3779B97F4A7C15u) >> 32);
}

static bool same_input(const struct ws_input *a, const struct ws_input *b)
{
    return a->kind == b->kind && a->type == b->type && a->width == b->width && a->space == b->space && a->half == b->half &&
           a->value == b->value;
}

/* The table entry of an input: holds it, or is free. */
static u32 *find_place(const struct ptx_inputs *inputs, const struct ws_input *input)
{
    u32 place = hash_input(input) & (inputs->table_size - 1);
    while (inputs->table[place] && !same_input(&inputs->inputs[inputs->table[place] - 1], input))
        place = (place + 1) & (inputs->table_size - 1);
    return &inputs->table[place];
}

/* Keeps the table (its size is a power of two) at most half full. */
static bool grow_table(struct ws_arena *arena, struct ptx_inputs *inputs)
{
    if (inputs->count * 2 < inputs->table_size)
        return true;
    const u32 size = inputs->table_size ? inputs->table_size * 2 : 64;
    u32 *table = ws_arena_array(arena, size, sizeof *table);
    if (!table)
        return false;
    inputs->table = table;
    inputs->table_size = size;
    for (size_t n = 0; n < inputs->count; n++)
        *find_place(inputs, &inputs->inputs[n]) = (u32)n + 1;
    return true;
}

enum ws_status ptx_add_input(struct ws_arena *arena, struct ptx_body *body, const struct ws_input *input, u16 *slot,
                             struct ws_error *error)
{
    struct ptx_inputs *inputs = &body->inputs;
    if (!grow_table(arena, inputs))
        return ptx_no_memory(error);
    u32 *place = find_place(inputs, input);
    if (!*place) {
        WS_TRY(check_slots(body, error));
        struct ws_input *larger = ws_arena_grow(arena, inputs->inputs, inputs->count, &inputs->room, sizeof *larger);
        if (!larger)
            return ptx_no_memory(error);
        inputs->inputs = larger;
        inputs->inputs[inputs->count++] = *input;
        *place = (u32)inputs->count;
    }
    *slot = ptx_input_slot(*place - 1);
    return WS_STATUS_ok;
}
