#include <stdio.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "frontend/ptx/kernel.h"

enum { DEEPEST_CALL = 64 };

/* The copy of one function's body into the kernel's. */
struct copy {
    struct ptx_kernel *kernel;
    struct ptx_function *function;
    u16 first_register;
    u32 first_label;
    u32 return_label; /* of a called function */
    u32 *objects;     /* by object of the function: object of the kernel */
    u32 *places;      /* by operation of the function: operation of the kernel */
    u32 depth;
};

static enum ws_status copy_body(struct copy *copy);

static enum ws_status fail_at(const struct ptx_kernel *kernel, u32 line, const char *what, const char *name)
{
    return ws_fail(kernel->error, WS_STATUS_bad_input, "%s:%u: %s '%s'", kernel->module->name, line, what, name);
}

static enum ws_status add_op(struct ptx_kernel *kernel, const struct ws_op *op)
{
    return ptx_add_op(kernel->arena, &kernel->body, op, kernel->error);
}

static enum ws_status add_label(struct ptx_kernel *kernel, u32 *label)
{
    return ptx_add_label(kernel->arena, &kernel->body, label, kernel->error);
}

static void place_label(struct ptx_kernel *kernel, u32 label)
{
    kernel->body.labels[label] = (u32)kernel->body.op_count;
}

enum ws_type ptx_width_type(u32 width)
{
    return width == 1 ? WS_TYPE_pred : width == 2 ? WS_TYPE_u16 : width == 4 ? WS_TYPE_u32 : WS_TYPE_u64;
}

/* ---- Slots ---- */

static enum ws_status map_input(struct copy *copy, u32 line, struct ws_input input, u16 *slot)
{
    struct ptx_kernel *kernel = copy->kernel;
    const u32 number = (u32)input.value;
    if (input.kind == WS_INPUT_address && input.space == WS_SPACE_parameter) {
        input.value = input.value >> 32 << 32 | copy->objects[number];
    } else if (input.kind == WS_INPUT_address) {
        const struct ptx_variable *variable = &kernel->module->variables[number];
        if (variable->external && !variable->dynamic)
            return fail_at(kernel, line, "unresolved symbol", variable->name);
    }
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

static enum ws_status map_slot(struct copy *copy, u32 line, u16 *slot)
{
    if (*slot == WS_SLOT_NONE)
        return WS_STATUS_ok;
    if (!ptx_is_register(&copy->function->body, *slot))
        return map_input(copy, line, *ptx_input(&copy->function->body, *slot), slot);
    *slot = (u16)(*slot + copy->first_register);
    return WS_STATUS_ok;
}

static enum ws_status map_slots(struct copy *copy, struct ws_op *op)
{
    WS_TRY(map_slot(copy, op->line, &op->guard));
    for (size_t n = 0; n < sizeof op->dst / sizeof *op->dst; n++)
        WS_TRY(map_slot(copy, op->line, &op->dst[n]));
    for (size_t n = 0; n < sizeof op->src / sizeof *op->src; n++)
        WS_TRY(map_slot(copy, op->line, &op->src[n]));
    return WS_STATUS_ok;
}

/* ---- Arguments and results ---- */

static enum ws_status object_address(struct ptx_kernel *kernel, u32 object, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_parameter, .value = object};
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

/* Constants of calls have 64 bits: cut to what is passed. */
static enum ws_status narrow_constant(struct ptx_kernel *kernel, u32 bytes, u16 *slot)
{
    if (ptx_is_register(&kernel->body, *slot) || bytes == 8)
        return WS_STATUS_ok;
    struct ws_input input = *ptx_input(&kernel->body, *slot);
    if (input.kind == WS_INPUT_constant)
        input.value &= ((u64)1 << bytes * 8) - 1;
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

/* The type of an object that is passed in one piece. */
static enum ws_type whole_type(const struct ptx_object *object)
{
    return object->bytes == ws_type_bytes(object->type) ? object->type : ptx_width_type(object->bytes);
}

static enum ws_status store_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot)
{
    const enum ws_type type = whole_type(&kernel->body.objects[object]);
    struct ws_op op = ptx_op(WS_OP_st, type, line);
    op.space = PTX_SPACE_CALL;
    WS_TRY(narrow_constant(kernel, ws_type_bytes(type), &slot));
    op.src[1] = slot;
    WS_TRY(object_address(kernel, object, &op.src[0]));
    return add_op(kernel, &op);
}

static enum ws_status load_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot)
{
    struct ws_op op = ptx_op(WS_OP_ld, whole_type(&kernel->body.objects[object]), line);
    op.space = PTX_SPACE_CALL;
    op.width = kernel->body.widths[slot];
    op.dst[0] = slot;
    WS_TRY(object_address(kernel, object, &op.src[0]));
    return add_op(kernel, &op);
}

static enum ws_status move(struct ptx_kernel *kernel, u32 line, u16 from, u16 to)
{
    const u8 width = kernel->body.widths[to];
    struct ws_op op = ptx_op(WS_OP_mov, ptx_width_type(width), line);
    WS_TRY(narrow_constant(kernel, width, &from));
    op.width = width;
    op.dst[0] = to;
    op.src[0] = from;
    return add_op(kernel, &op);
}

/* One side of an argument or result, in the kernel's body. */
struct place {
    bool is_object;
    u16 slot;
    u32 object;
    u32 bytes; /* as declared on this side; 0 for a constant */
};

static enum ws_status place_of_actual(struct copy *caller, u32 line, const struct ptx_actual *actual, struct place *place)
{
    const struct ptx_body *body = &caller->function->body;
    *place = (struct place){.is_object = actual->is_object, .slot = actual->slot};
    if (actual->is_object) {
        place->object = caller->objects[actual->object];
        place->bytes = body->objects[actual->object].bytes;
        return WS_STATUS_ok;
    }
    place->bytes = ptx_is_register(body, actual->slot) ? body->widths[actual->slot] : 0;
    return map_slot(caller, line, &place->slot);
}

static struct place place_of_formal(const struct copy *callee, const struct ptx_formal *formal)
{
    const struct ptx_body *body = &callee->function->body;
    if (formal->is_object)
        return (struct place){
            .is_object = true, .object = callee->objects[formal->object], .bytes = body->objects[formal->object].bytes};
    return (struct place){.slot = (u16)(formal->slot + callee->first_register), .bytes = body->widths[formal->slot]};
}

/* Moves a value that is not in one object for both sides. */
static enum ws_status pass(struct ptx_kernel *kernel, u32 line, const struct place *from, const struct place *to)
{
    if (from->is_object && to->is_object)
        return WS_STATUS_ok;
    if (to->is_object)
        return store_object(kernel, line, to->object, from->slot);
    if (from->is_object)
        return load_object(kernel, line, from->object, to->slot);
    return move(kernel, line, from->slot, to->slot);
}

/* Narrow values travel in wider registers; all else has to agree. */
static enum ws_status check_bytes(const struct ptx_kernel *kernel, const struct ptx_call *call, const struct place *a,
                                  const struct place *b)
{
    const u32 left = a->bytes, right = b->bytes;
    const bool agree = left == right || !left || !right || (left <= 4 && right <= 4 && !(a->is_object && b->is_object));
    return agree ? WS_STATUS_ok : fail_at(kernel, call->line, "an argument or result has another size in", call->callee);
}

static enum ws_status pass_arguments(struct copy *caller, struct copy *callee, const struct ptx_call *call)
{
    for (size_t n = 0; n < call->argument_count; n++) {
        struct place from;
        const struct place to = place_of_formal(callee, &callee->function->parameters[n]);
        WS_TRY(place_of_actual(caller, call->line, &call->arguments[n], &from));
        WS_TRY(check_bytes(caller->kernel, call, &from, &to));
        WS_TRY(pass(caller->kernel, call->line, &from, &to));
    }
    return WS_STATUS_ok;
}

static enum ws_status pass_results(struct copy *caller, struct copy *callee, const struct ptx_call *call)
{
    for (size_t n = 0; n < call->result_count; n++) {
        struct place to;
        const struct place from = place_of_formal(callee, &callee->function->results[n]);
        WS_TRY(place_of_actual(caller, call->line, &call->results[n], &to));
        if (!to.is_object && !ptx_is_register(&caller->kernel->body, to.slot))
            return fail_at(caller->kernel, call->line, "a result has to go into a register or parameter, in the call of",
                           call->callee);
        WS_TRY(check_bytes(caller->kernel, call, &from, &to));
        WS_TRY(pass(caller->kernel, call->line, &from, &to));
    }
    return WS_STATUS_ok;
}

/* ---- Calls ---- */

static enum ws_status check_call(const struct copy *caller, const struct ptx_call *call, struct ptx_function **callee)
{
    const struct ptx_kernel *kernel = caller->kernel;
    struct ptx_function *function = ptx_find_function(kernel->module, call->callee, strlen(call->callee));
    if (function && function->failure)
        return ws_fail(kernel->error, WS_STATUS_bad_input, "%s (in '%s', which line %u calls)", function->failure, call->callee,
                       call->line);
    if (!function || !function->defined)
        return fail_at(kernel, call->line, "unresolved symbol", call->callee);
    if (function->entry)
        return fail_at(kernel, call->line, "a kernel cannot be called:", call->callee);
    if (function->active)
        return fail_at(kernel, call->line, "recursion is not supported: this calls, while it is active,", call->callee);
    if (function->result_count != call->result_count || function->parameter_count != call->argument_count)
        return fail_at(kernel, call->line, "wrong number of arguments or results in the call of", call->callee);
    if (caller->depth == DEEPEST_CALL)
        return fail_at(kernel, call->line, "calls nest too deep: 64 levels above", call->callee);
    *callee = function;
    return WS_STATUS_ok;
}

/* Objects that both sides have are one. */
static void bind(const struct copy *caller, const struct ptx_formal *formals, const struct ptx_actual *actuals, size_t count,
                 u32 *objects)
{
    for (size_t n = 0; n < count; n++)
        if (formals[n].is_object && actuals[n].is_object)
            objects[formals[n].object] = caller->objects[actuals[n].object];
}

static enum ws_status begin_copy(struct copy *copy)
{
    struct ptx_kernel *kernel = copy->kernel;
    const struct ptx_body *from = &copy->function->body;
    copy->first_register = (u16)kernel->body.register_count;
    copy->first_label = (u32)kernel->body.label_count;
    for (size_t n = 0; n < from->register_count; n++) {
        u16 slot;
        WS_TRY(ptx_add_register(kernel->arena, &kernel->body, from->widths[n], &slot, kernel->error));
    }
    for (size_t n = 0; n < from->label_count; n++) {
        u32 label;
        WS_TRY(add_label(kernel, &label));
    }
    copy->objects = ws_arena_array(kernel->arena, from->object_count, sizeof *copy->objects);
    copy->places = ws_arena_array(kernel->arena, from->op_count + 1, sizeof *copy->places);
    if (!copy->objects || !copy->places)
        return ptx_no_memory(kernel->error);
    memset(copy->objects, 0xFF, from->object_count * sizeof *copy->objects);
    return WS_STATUS_ok;
}

/* Objects that no caller gave. */
static enum ws_status add_objects(struct copy *copy)
{
    struct ptx_kernel *kernel = copy->kernel;
    for (size_t n = 0; n < copy->function->body.object_count; n++)
        if (copy->objects[n] == PTX_NOWHERE)
            WS_TRY(
                ptx_add_object(kernel->arena, &kernel->body, &copy->function->body.objects[n], &copy->objects[n], kernel->error));
    return WS_STATUS_ok;
}

static enum ws_status expand_call(struct copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *kernel = caller->kernel;
    struct copy callee = {.kernel = kernel, .depth = caller->depth + 1};
    WS_TRY(check_call(caller, call, &callee.function));
    WS_TRY(begin_copy(&callee));
    bind(caller, callee.function->parameters, call->arguments, call->argument_count, callee.objects);
    bind(caller, callee.function->results, call->results, call->result_count, callee.objects);
    WS_TRY(add_objects(&callee));
    WS_TRY(add_label(kernel, &callee.return_label));
    WS_TRY(pass_arguments(caller, &callee, call));
    callee.function->active = true;
    WS_TRY(copy_body(&callee));
    callee.function->active = false;
    place_label(kernel, callee.return_label);
    return pass_results(caller, &callee, call);
}

/* ---- Operations ---- */

static enum ws_status copy_plain(struct copy *copy, struct ws_op op)
{
    struct ptx_kernel *kernel = copy->kernel;
    if (op.opcode == WS_OP_call)
        return expand_call(copy, &copy->function->calls[op.target]);
    if (op.opcode == WS_OP_branch || op.opcode == WS_OP_jump)
        op.target += copy->first_label;
    if (op.opcode == WS_OP_ret && copy->depth == 0)
        op.opcode = WS_OP_exit;
    if (op.opcode == WS_OP_ret) {
        op.opcode = op.guard == WS_SLOT_NONE ? WS_OP_jump : WS_OP_branch;
        op.target = copy->return_label;
    }
    if (op.space == WS_SPACE_parameter && copy->depth > 0)
        op.space = PTX_SPACE_CALL;
    return add_op(kernel, &op);
}

/* Exits, traps, barriers and calls have no guards in the end: a branch leads around them. */
static enum ws_status copy_op(struct copy *copy, struct ws_op op)
{
    struct ptx_kernel *kernel = copy->kernel;
    const bool bare = op.opcode == WS_OP_exit || op.opcode == WS_OP_trap || op.opcode == WS_OP_bar || op.opcode == WS_OP_call ||
                      (op.opcode == WS_OP_ret && copy->depth == 0);
    WS_TRY(map_slots(copy, &op));
    if (!bare || op.guard == WS_SLOT_NONE)
        return copy_plain(copy, op);
    struct ws_op around = ptx_op(WS_OP_branch, WS_TYPE_none, op.line);
    WS_TRY(add_label(kernel, &around.target));
    around.guard = op.guard;
    around.flags = (op.flags & WS_OP_NOT_GUARD) ^ WS_OP_NOT_GUARD;
    WS_TRY(add_op(kernel, &around));
    op.guard = WS_SLOT_NONE;
    op.flags &= (u8)~WS_OP_NOT_GUARD;
    WS_TRY(copy_plain(copy, op));
    place_label(kernel, around.target);
    return WS_STATUS_ok;
}

static enum ws_status copy_body(struct copy *copy)
{
    const struct ptx_body *from = &copy->function->body;
    for (size_t n = 0; n < from->op_count; n++) {
        copy->places[n] = (u32)copy->kernel->body.op_count;
        WS_TRY(copy_op(copy, from->ops[n]));
    }
    copy->places[from->op_count] = (u32)copy->kernel->body.op_count;
    for (size_t n = 0; n < from->label_count; n++)
        copy->kernel->body.labels[copy->first_label + n] = copy->places[from->labels[n]];
    return WS_STATUS_ok;
}

enum ws_status ptx_expand_calls(struct ptx_kernel *kernel)
{
    struct ptx_function *entry = ptx_find_function(kernel->module, kernel->entry->name, strlen(kernel->entry->name));
    struct copy copy = {.kernel = kernel, .function = entry};
    kernel->body.where = entry->body.where;
    WS_TRY(begin_copy(&copy));
    WS_TRY(add_objects(&copy));
    WS_TRY(copy_body(&copy));
    const u32 last_line = kernel->body.op_count ? kernel->body.ops[kernel->body.op_count - 1].line : entry->line;
    const struct ws_op end = ptx_op(WS_OP_exit, WS_TYPE_none, last_line);
    return add_op(kernel, &end);
}
