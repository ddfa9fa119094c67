#include <string.h>

#include "frontend/ptx/passes/expand.h"

/* Most objects: bounds the expansion of calls that add no operations. */
enum { DEEPEST_CALL = 64, MOST_OBJECTS = 1 << 20 };

static enum ws_status copy_body(struct ptx_copy *copy);

enum ws_status ptx_fail_expanding(const struct ptx_kernel *kernel, u32 line, const char *what, const char *name)
{
    return ws_fail(kernel->error, WS_STATUS_bad_input, "%s: %s '%s'", ws_place_text(&kernel->module->places, line).text, what,
                   name);
}

static enum ws_status add_label(struct ptx_kernel *kernel, u32 *label)
{
    return ptx_add_label(kernel->arena, &kernel->body, label, kernel->error);
}

static void place_label(struct ptx_kernel *kernel, u32 label)
{
    kernel->body.labels[label] = (u32)kernel->body.op_count;
}

/* ---- Slots ---- */

static enum ws_status map_input(struct ptx_copy *copy, u32 line, struct ws_input input, u16 *slot)
{
    struct ptx_kernel *kernel = copy->kernel;
    const u32 number = (u32)input.value;
    if (input.kind == WS_INPUT_address && input.space == WS_SPACE_local && copy->framed && kernel->module->variables[number].inner)
        return ptx_map_framed(copy, line, &input, slot);
    if (input.kind == WS_INPUT_address && input.space == WS_SPACE_parameter) {
        input.value = input.value >> 32 << 32 | copy->objects[number];
    } else if (input.kind == WS_INPUT_address) {
        const struct ptx_variable *variable = &kernel->module->variables[number];
        if (variable->external && !variable->dynamic)
            return ptx_fail_expanding(kernel, line, "unresolved symbol", variable->name);
    }
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

enum ws_status ptx_map_slot(struct ptx_copy *copy, u32 line, u16 *slot)
{
    if (*slot == WS_SLOT_NONE)
        return WS_STATUS_ok;
    if (!ptx_is_register(&copy->function->body, *slot))
        return map_input(copy, line, *ptx_input(&copy->function->body, *slot), slot);
    *slot = (u16)(*slot + copy->first_register);
    return WS_STATUS_ok;
}

static enum ws_status map_slots(struct ptx_copy *copy, struct ws_op *op)
{
    WS_TRY(ptx_map_slot(copy, op->line, &op->guard));
    for (size_t n = 0; n < sizeof op->dst / sizeof *op->dst; n++)
        WS_TRY(ptx_map_slot(copy, op->line, &op->dst[n]));
    for (size_t n = 0; n < sizeof op->src / sizeof *op->src; n++)
        WS_TRY(ptx_map_slot(copy, op->line, &op->src[n]));
    return WS_STATUS_ok;
}

/* ---- Calls ---- */

static enum ws_status check_call(const struct ptx_copy *caller, const struct ptx_call *call, struct ptx_function **callee)
{
    const struct ptx_kernel *kernel = caller->kernel;
    struct ptx_function *function = ptx_find_function(kernel->module, call->callee, strlen(call->callee));
    if (function && function->alias)
        function = ptx_find_function(kernel->module, function->alias, strlen(function->alias));
    if (function && function->failure)
        return ws_fail(kernel->error, WS_STATUS_bad_input, "%s (in '%s', which line %u calls)", function->failure, call->callee,
                       ws_place_line(&kernel->module->places, call->line));
    if ((!function || !function->defined) && (strncmp(call->callee, "cuda", 4) == 0 || strncmp(call->callee, "__cudaCDP", 9) == 0))
        return ptx_fail_expanding(kernel, call->line, "kernels that launch kernels are not supported: this calls", call->callee);
    if (!function || !function->defined)
        return ptx_fail_expanding(kernel, call->line, "unresolved symbol", call->callee);
    if (function->result_count != call->result_count || function->parameter_count != call->argument_count)
        return ptx_fail_expanding(kernel, call->line, "wrong number of arguments or results in the call of", call->callee);
    if (caller->depth == DEEPEST_CALL)
        return ptx_fail_expanding(kernel, call->line, "calls nest too deep: 64 levels above", call->callee);
    *callee = function;
    return WS_STATUS_ok;
}

/* An object on both sides is merged. */
static void bind(const struct ptx_copy *caller, const struct ptx_formal *formals, const struct ptx_actual *actuals, size_t count,
                 u32 *objects)
{
    for (size_t n = 0; n < count; n++)
        if (formals[n].is_object && actuals[n].is_object)
            objects[formals[n].object] = caller->objects[actuals[n].object];
}

static enum ws_status begin_copy(struct ptx_copy *copy)
{
    struct ptx_kernel *kernel = copy->kernel;
    const struct ptx_body *from = &copy->function->body;
    kernel->objects += from->object_count;
    if (kernel->objects > MOST_OBJECTS)
        return ws_fail(kernel->error, WS_STATUS_bad_input, "%s: more than %d parameters once calls are expanded",
                       kernel->body.where, (int)MOST_OBJECTS);
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

/* Objects that no caller passed. */
static enum ws_status add_objects(struct ptx_copy *copy)
{
    struct ptx_kernel *kernel = copy->kernel;
    for (size_t n = 0; n < copy->function->body.object_count; n++) {
        struct ptx_object object = copy->function->body.objects[n];
        object.recursive = copy->framed;
        if (copy->objects[n] == PTX_NOWHERE)
            WS_TRY(ptx_add_object(kernel->arena, &kernel->body, &object, &copy->objects[n], kernel->error));
    }
    return WS_STATUS_ok;
}

static enum ws_status expand_named(struct ptx_copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *kernel = caller->kernel;
    struct ptx_copy callee = {.kernel = kernel, .depth = caller->depth + 1, .caller = caller};
    WS_TRY(check_call(caller, call, &callee.function));
    if (callee.function->active)
        return ptx_expand_recursion(caller, call, callee.function);
    callee.recursive = ptx_is_recursive(kernel->module, callee.function);
    callee.framed = caller->framed || callee.recursive;
    WS_TRY(begin_copy(&callee));
    if (!callee.recursive) { /* others pass their arguments to the same objects later */
        bind(caller, callee.function->parameters, call->arguments, call->argument_count, callee.objects);
        bind(caller, callee.function->results, call->results, call->result_count, callee.objects);
    }
    WS_TRY(add_objects(&callee));
    WS_TRY(add_label(kernel, &callee.return_label));
    WS_TRY(ptx_pass_arguments(caller, &callee, call));
    if (callee.recursive)
        WS_TRY(ptx_begin_recursive(&callee, call->line));
    callee.function->active = true;
    const enum ws_status status = copy_body(&callee);
    callee.function->active = false; /* also after a failure: other kernels may call it */
    WS_TRY(status);
    place_label(kernel, callee.return_label);
    if (callee.recursive)
        WS_TRY(ptx_end_recursive(&callee, call->line));
    return ptx_pass_results(caller, &callee, call);
}

/* ---- Calls through pointers ---- */

static enum ws_status add_jump(struct ptx_kernel *kernel, u32 line, u16 guard, u32 label)
{
    struct ws_op op = ptx_op(guard == WS_SLOT_NONE ? WS_OP_jump : WS_OP_branch, WS_TYPE_none, line);
    op.guard = guard;
    op.target = label;
    return ptx_add_kernel_op(kernel, &op);
}

/* Continues at label unless pointer is the address. */
static enum ws_status unless_equal(struct ptx_kernel *kernel, u32 line, u16 pointer, u64 address, u32 label)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = address};
    struct ws_op compare = ptx_op(WS_OP_setp, WS_TYPE_u64, line);
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, 1, &compare.dst[0], kernel->error));
    compare.compare = WS_COMPARE_ne;
    compare.width = 1;
    compare.src[0] = pointer;
    WS_TRY(ptx_add_input(kernel->arena, &kernel->body, &input, &compare.src[1], kernel->error));
    WS_TRY(ptx_add_kernel_op(kernel, &compare));
    return add_jump(kernel, line, compare.dst[0], label);
}

/* Compares the address with each function that the call may reach; any other address is a trap. */
static enum ws_status expand_pointer(struct ptx_copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *kernel = caller->kernel;
    const struct ptx_module *module = kernel->module;
    const struct ws_op trap = ptx_op(WS_OP_trap, WS_TYPE_none, call->line);
    struct ptx_call named = *call;
    u16 pointer = call->pointer;
    u32 end;
    WS_TRY(add_label(kernel, &end));
    WS_TRY(ptx_map_slot(caller, call->line, &pointer));
    for (size_t n = 0; n < module->function_count; n++) {
        const struct ptx_function *function = module->functions[n];
        u32 next;
        if (!function->taken || !function->defined || function->failure || function->active ||
            !ptx_call_fits(caller, function, call))
            continue;
        named.callee = function->name;
        WS_TRY(add_label(kernel, &next));
        WS_TRY(
            unless_equal(kernel, call->line, pointer, ptx_function_address(module, function->name, strlen(function->name)), next));
        WS_TRY(expand_named(caller, &named));
        WS_TRY(add_jump(kernel, call->line, WS_SLOT_NONE, end));
        place_label(kernel, next);
    }
    WS_TRY(ptx_add_kernel_op(kernel, &trap));
    place_label(kernel, end);
    return WS_STATUS_ok;
}

static enum ws_status expand_call(struct ptx_copy *caller, const struct ptx_call *call)
{
    if (!call->callee)
        return expand_pointer(caller, call);
    const struct ptx_function *function = ptx_find_function(caller->kernel->module, call->callee, strlen(call->callee));
    const bool missing = function && !function->defined && !function->failure && !function->alias;
    if (missing && ptx_is_print(call->callee))
        return ptx_expand_print(caller, call);
    if (missing && strcmp(call->callee, "__assertfail") == 0)
        return ptx_expand_assertion(caller, call);
    if (missing && ptx_is_heap(call->callee))
        return ptx_expand_heap(caller, call);
    return expand_named(caller, call);
}

/* ---- Operations ---- */

static enum ws_status copy_plain(struct ptx_copy *copy, struct ws_op op)
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
    return ptx_add_kernel_op(kernel, &op);
}

/* Guards of exits, traps, barriers, warp-wide operations and calls become branches around them. */
static enum ws_status copy_op(struct ptx_copy *copy, struct ws_op op)
{
    struct ptx_kernel *kernel = copy->kernel;
    const bool bare = op.opcode == WS_OP_exit || op.opcode == WS_OP_trap || ws_op_is_barrier(op.opcode) ||
                      op.opcode == WS_OP_call || (op.opcode == WS_OP_ret && copy->depth == 0) || ws_op_is_warp_wide(op.opcode);
    WS_TRY(map_slots(copy, &op));
    if (!bare || op.guard == WS_SLOT_NONE)
        return copy_plain(copy, op);
    struct ws_op around = ptx_op(WS_OP_branch, WS_TYPE_none, op.line);
    WS_TRY(add_label(kernel, &around.target));
    around.guard = op.guard;
    around.flags = (op.flags & WS_OP_NOT_GUARD) ^ WS_OP_NOT_GUARD;
    WS_TRY(ptx_add_kernel_op(kernel, &around));
    op.guard = WS_SLOT_NONE;
    op.flags &= (u8)~WS_OP_NOT_GUARD;
    WS_TRY(copy_plain(copy, op));
    place_label(kernel, around.target);
    return WS_STATUS_ok;
}

static bool is_repeat(const struct ws_op *op)
{
    return op->opcode == WS_OP_mov && op->mode == WS_MODE_repeats;
}

/* Registers that the body reads, or NULL if it has no repeats (see parse/fragments.c), of which those that nobody reads are left
 * out. */
static enum ws_status find_reads(const struct ptx_copy *copy, bool **read)
{
    const struct ptx_body *const body = &copy->function->body;
    bool repeats = false;
    for (size_t n = 0; n < body->op_count; n++)
        repeats |= is_repeat(&body->ops[n]);
    *read = NULL;
    if (!repeats)
        return WS_STATUS_ok;
    *read = ws_arena_array(copy->kernel->arena, WS_SLOT_NONE + 1, sizeof **read);
    if (!*read)
        return ptx_no_memory(copy->kernel->error);
    for (size_t n = 0; n < body->op_count; n++)
        for (u32 k = 0; k < WS_OP_SOURCES; k++)
            (*read)[body->ops[n].src[k]] = true;
    for (size_t n = 0; n < copy->function->call_count; n++)
        for (size_t k = 0; k < copy->function->calls[n].argument_count; k++)
            if (!copy->function->calls[n].arguments[k].is_object)
                (*read)[copy->function->calls[n].arguments[k].slot] = true;
    for (size_t n = 0; n < copy->function->result_count; n++)
        if (!copy->function->results[n].is_object)
            (*read)[copy->function->results[n].slot] = true;
    return WS_STATUS_ok;
}

static enum ws_status copy_body(struct ptx_copy *copy)
{
    const struct ptx_body *from = &copy->function->body;
    bool *read;
    WS_TRY(find_reads(copy, &read));
    for (size_t n = 0; n < from->op_count; n++) {
        copy->places[n] = (u32)copy->kernel->body.op_count;
        copy->at = n;
        if (!is_repeat(&from->ops[n]) || read[from->ops[n].dst[0]])
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
    struct ptx_copy copy = {.kernel = kernel, .function = entry};
    kernel->body.where = entry->body.where;
    WS_TRY(begin_copy(&copy));
    WS_TRY(add_objects(&copy));
    WS_TRY(copy_body(&copy));
    const u32 last_line = kernel->body.op_count ? kernel->body.ops[kernel->body.op_count - 1].line : entry->line;
    const struct ws_op end = ptx_op(WS_OP_exit, WS_TYPE_none, last_line);
    return ptx_add_kernel_op(kernel, &end);
}
