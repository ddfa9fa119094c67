#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "frontend/ptx/passes/addresses.h"

/* A piece of an object that one element of a load or store covers. */
struct cell {
    u32 object, offset, bytes;
    u16 slot; /* register that replaces it */
};

struct pass {
    struct ptx_kernel *kernel;
    struct ptx_addresses addresses;
    struct cell *cells; /* sorted, without duplicates */
    size_t cell_count;
    bool *in_memory;     /* by object of a call: needs a local variable */
    u32 *variables;      /* by object: that variable */
    struct ptx_body old; /* before this pass */
};

static bool is_kernel_object(const struct ptx_kernel *kernel, u32 object)
{
    return object < kernel->entry->parameter_count;
}

static enum ws_status fail_at(const struct ptx_kernel *kernel, u32 line, const char *what)
{
    return ws_fail(kernel->error, WS_STATUS_bad_input, "%s: %s", ws_place_text(&kernel->module->places, line).text, what);
}

u32 ptx_parameter_offset(const struct ptx_function *entry, size_t n)
{
    u32 offset = 0;
    for (size_t parameter = 0;; parameter++) {
        if (parameter == entry->parameter_count)
            return offset;
        const struct ptx_object *object = &entry->body.objects[entry->parameters[parameter].object];
        offset = (offset + object->align - 1) / object->align * object->align;
        if (parameter == n)
            return offset;
        offset += object->bytes;
    }
}

/* ---- Cells ---- */

static u32 element_offset(const struct ptx_address *base, const struct ws_op *op, u32 element)
{
    return (u32)base->offset + (u32)op->offset + element * ws_type_bytes((enum ws_type)op->type);
}

static enum ws_status check_reach(const struct pass *pass, const struct ws_op *op)
{
    const struct ptx_kernel *kernel = pass->kernel;
    const struct ptx_address base = ptx_address_of(kernel, &pass->addresses, op->src[0]);
    const u32 bytes = op->count * ws_type_bytes((enum ws_type)op->type), size = kernel->body.objects[base.object].bytes;
    const u32 offset = element_offset(&base, op, 0);
    if (offset > size || bytes > size - offset)
        return fail_at(kernel, op->line, "this reaches beyond the end of a parameter");
    if (is_kernel_object(kernel, base.object) && op->opcode == WS_OP_st)
        return fail_at(kernel, op->line, "parameters of a kernel cannot be written");
    return WS_STATUS_ok;
}

static int compare_cells(const void *left, const void *right)
{
    const struct cell *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static enum ws_status collect_cells(struct pass *pass)
{
    const struct ptx_kernel *kernel = pass->kernel;
    size_t room = 0;
    for (size_t n = 0; n < kernel->body.op_count; n++) {
        const struct ws_op *op = &kernel->body.ops[n];
        if (!ptx_reaches_object(kernel, &pass->addresses, op))
            continue;
        WS_TRY(check_reach(pass, op));
        const struct ptx_address base = ptx_address_of(kernel, &pass->addresses, op->src[0]);
        for (u32 element = 0; element < op->count && !is_kernel_object(kernel, base.object); element++) {
            struct cell *larger = ws_arena_grow(kernel->arena, pass->cells, pass->cell_count, &room, sizeof *larger);
            if (!larger)
                return ptx_no_memory(kernel->error);
            pass->cells = larger;
            pass->cells[pass->cell_count++] = (struct cell){.object = base.object,
                                                            .offset = element_offset(&base, op, element),
                                                            .bytes = ws_type_bytes((enum ws_type)op->type)};
        }
    }
    return WS_STATUS_ok;
}

/* Objects with partially overlapping elements stay in memory; the others get a register per cell. */
static void merge_cells(struct pass *pass)
{
    size_t kept = 0;
    if (pass->cell_count)
        qsort(pass->cells, pass->cell_count, sizeof *pass->cells, compare_cells);
    for (size_t n = 0; n < pass->cell_count; n++) {
        const struct cell *cell = &pass->cells[n], *last = kept ? &pass->cells[kept - 1] : NULL;
        if (last && compare_cells(cell, last) == 0)
            continue;
        if (last && last->object == cell->object && last->offset + last->bytes > cell->offset)
            pass->in_memory[cell->object] = true;
        pass->cells[kept++] = *cell;
    }
    pass->cell_count = kept;
}

/* An address used for anything but loads and stores keeps its object in memory. */
static enum ws_status find_escapes(struct pass *pass)
{
    const struct ptx_kernel *kernel = pass->kernel;
    for (size_t n = 0; n < kernel->body.op_count; n++) {
        const struct ws_op *op = &kernel->body.ops[n];
        if (ptx_defines_address(&pass->addresses, op) && !pass->addresses.needed[op->dst[0]])
            continue;
        for (size_t s = ptx_reaches_object(kernel, &pass->addresses, op) ? 1 : 0; s < WS_OP_SOURCES; s++) {
            const struct ptx_address address = ptx_address_of(kernel, &pass->addresses, op->src[s]);
            if (!address.known || is_kernel_object(kernel, address.object))
                continue;
            if (kernel->body.objects[address.object].recursive)
                return fail_at(kernel, op->line, "a function that calls itself uses the address of a parameter; not supported");
            pass->in_memory[address.object] = true;
        }
    }
    return WS_STATUS_ok;
}

static enum ws_status add_variable(struct pass *pass, u32 object)
{
    struct ptx_module *module = pass->kernel->module;
    struct ptx_variable *larger =
        ws_arena_grow(module->arena, module->variables, module->variable_count, &module->variable_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(pass->kernel->error);
    module->variables = larger;
    const struct ptx_object *from = &pass->old.objects[object];
    module->variables[module->variable_count] =
        (struct ptx_variable){.name = "a parameter", .space = WS_SPACE_local, .bytes = from->bytes, .align = from->align};
    pass->variables[object] = (u32)module->variable_count++;
    return WS_STATUS_ok;
}

static enum ws_status place_objects(struct pass *pass)
{
    struct ptx_kernel *kernel = pass->kernel;
    for (size_t n = 0; n < kernel->body.object_count; n++)
        if (pass->in_memory[n])
            WS_TRY(add_variable(pass, (u32)n));
    for (size_t n = 0; n < pass->cell_count; n++) {
        struct cell *cell = &pass->cells[n];
        const u8 width = cell->bytes < 2 ? 2 : (u8)cell->bytes;
        if (!pass->in_memory[cell->object])
            WS_TRY(ptx_add_register(kernel->arena, &kernel->body, width, &cell->slot, kernel->error));
    }
    return WS_STATUS_ok;
}

/* ---- Rewriting ---- */

static enum ws_status add_op(struct pass *pass, const struct ws_op *op)
{
    return ptx_add_kernel_op(pass->kernel, op);
}

static enum ws_status add_input(struct pass *pass, const struct ws_input *input, u16 *slot)
{
    return ptx_add_input(pass->kernel->arena, &pass->kernel->body, input, slot, pass->kernel->error);
}

static u16 cell_slot(const struct pass *pass, const struct ptx_address *base, const struct ws_op *op, u32 element)
{
    const struct cell key = {
        .object = base->object, .offset = element_offset(base, op, element), .bytes = ws_type_bytes((enum ws_type)op->type)};
    const struct cell *cell = bsearch(&key, pass->cells, pass->cell_count, sizeof key, compare_cells);
    return cell->slot;
}

/* A move of one element, guarded like the load or store that it replaces. */
static struct ws_op element_move(const struct pass *pass, const struct ws_op *op, u16 to)
{
    const u8 width = pass->kernel->body.widths[to];
    struct ws_op move = ptx_op(WS_OP_mov, ptx_width_type(width), op->line);
    move.guard = op->guard;
    move.flags = op->flags & WS_OP_NOT_GUARD;
    move.width = width;
    move.dst[0] = to;
    return move;
}

/* Stores only the element's bits. */
static enum ws_status store_cell(struct pass *pass, const struct ws_op *op, u16 from, u16 cell)
{
    const enum ws_type type = (enum ws_type)op->type;
    const u32 bytes = ws_type_bytes(type);
    struct ws_op move = element_move(pass, op, cell);
    move.src[0] = from;
    if (ptx_is_register(&pass->kernel->body, from) && pass->kernel->body.widths[from] != bytes) {
        move.opcode = WS_OP_cvt;
        move.type = move.from = bytes == 1 ? WS_TYPE_u8 : (u8)ptx_width_type(bytes);
    }
    return add_op(pass, &move);
}

static enum ws_status load_cell(struct pass *pass, const struct ws_op *op, u16 cell, u16 to)
{
    const enum ws_type type = (enum ws_type)op->type;
    if (to == WS_SLOT_NONE)
        return WS_STATUS_ok;
    struct ws_op move = element_move(pass, op, to);
    move.src[0] = cell;
    if (ws_type_is_signed(type) && ws_type_bytes(type) < move.width) {
        move.opcode = WS_OP_cvt;
        move.type = move.from = (u8)type;
    }
    return add_op(pass, &move);
}

static enum ws_status load_kernel_parameter(struct pass *pass, const struct ws_op *op, const struct ptx_address *base, u32 element)
{
    const u16 to = op->dst[element];
    if (to == WS_SLOT_NONE)
        return WS_STATUS_ok;
    struct ws_op move = element_move(pass, op, to);
    const struct ws_input input = {.kind = WS_INPUT_parameter,
                                   .type = op->type,
                                   .width = move.width,
                                   .value =
                                       ptx_parameter_offset(pass->kernel->entry, base->object) + element_offset(base, op, element)};
    WS_TRY(add_input(pass, &input, &move.src[0]));
    return add_op(pass, &move);
}

static enum ws_status rewrite_access(struct pass *pass, struct ws_op op)
{
    const struct ptx_address base = ptx_address_of(pass->kernel, &pass->addresses, op.src[0]);
    if (pass->in_memory[base.object]) {
        const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_local, .value = pass->variables[base.object]};
        op.space = WS_SPACE_local;
        op.offset += base.offset;
        WS_TRY(add_input(pass, &input, &op.src[0]));
        return add_op(pass, &op);
    }
    for (u32 element = 0; element < op.count; element++) {
        if (is_kernel_object(pass->kernel, base.object)) {
            WS_TRY(load_kernel_parameter(pass, &op, &base, element));
            continue;
        }
        const u16 cell = cell_slot(pass, &base, &op, element);
        if (op.opcode == WS_OP_st)
            WS_TRY(store_cell(pass, &op, op.src[1 + element], cell));
        else
            WS_TRY(load_cell(pass, &op, cell, op.dst[element]));
    }
    return WS_STATUS_ok;
}

/* An address as a value: of a local variable, or as an offset into the kernel's parameters. */
static enum ws_status rewrite_address(struct pass *pass, u16 *slot)
{
    const struct ptx_kernel *kernel = pass->kernel;
    if (*slot == WS_SLOT_NONE || ptx_is_register(&kernel->body, *slot))
        return WS_STATUS_ok;
    const struct ptx_address address = ptx_address_of(kernel, &pass->addresses, *slot);
    if (!address.known)
        return WS_STATUS_ok;
    struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_parameter};
    if (is_kernel_object(kernel, address.object)) {
        input.value = ptx_parameter_offset(kernel->entry, address.object) + (u32)address.offset;
    } else {
        input.space = WS_SPACE_local;
        input.value = (u64)(u32)address.offset << 32 | pass->variables[address.object];
    }
    return add_input(pass, &input, slot);
}

/* Known addresses whose values are unused need no code. An access to an unknown address in a called function: it reaches a
 * parameter, since escaping parameters are in local memory. */
static enum ws_status rewrite_op(struct pass *pass, struct ws_op op)
{
    if (ptx_defines_address(&pass->addresses, &op) && !pass->addresses.needed[op.dst[0]])
        return WS_STATUS_ok;
    const bool reaches_object = ptx_reaches_object(pass->kernel, &pass->addresses, &op);
    for (size_t s = reaches_object ? 1 : 0; s < WS_OP_SOURCES; s++)
        WS_TRY(rewrite_address(pass, &op.src[s]));
    if (reaches_object)
        return rewrite_access(pass, op);
    if (op.space == PTX_SPACE_CALL)
        op.space = WS_SPACE_local;
    if (op.space == WS_SPACE_parameter && op.opcode == WS_OP_st)
        return fail_at(pass->kernel, op.line, "parameters of a kernel cannot be written");
    return add_op(pass, &op);
}

static enum ws_status rewrite(struct pass *pass)
{
    struct ptx_body *body = &pass->kernel->body;
    u32 *places = ws_arena_array(pass->kernel->arena, pass->old.op_count + 1, sizeof *places);
    if (!places)
        return ptx_no_memory(pass->kernel->error);
    body->ops = NULL;
    body->op_count = body->op_room = 0;
    for (size_t n = 0; n < pass->old.op_count; n++) {
        places[n] = (u32)body->op_count;
        WS_TRY(rewrite_op(pass, pass->old.ops[n]));
    }
    places[pass->old.op_count] = (u32)body->op_count;
    for (size_t n = 0; n < body->label_count; n++)
        body->labels[n] = places[body->labels[n]];
    return WS_STATUS_ok;
}

enum ws_status ptx_resolve_parameters(struct ptx_kernel *kernel)
{
    struct pass pass = {.kernel = kernel, .old = kernel->body};
    pass.in_memory = ws_arena_array(kernel->arena, kernel->body.object_count, sizeof *pass.in_memory);
    pass.variables = ws_arena_array(kernel->arena, kernel->body.object_count, sizeof *pass.variables);
    if (!pass.in_memory || !pass.variables)
        return ptx_no_memory(kernel->error);
    WS_TRY(ptx_find_addresses(kernel, &pass.addresses));
    WS_TRY(collect_cells(&pass));
    merge_cells(&pass);
    WS_TRY(find_escapes(&pass));
    WS_TRY(place_objects(&pass));
    return rewrite(&pass);
}
