/* Functions that call themselves. Calls are expanded, so such a function's body is in the kernel once for each call from outside.
 * A call from inside saves what the callers need again, up to that body's copy, in a frame of a stack in local memory, passes the
 * arguments and jumps to the body. At its end a register, the number of the call, tells where to continue. */
#include <string.h>

#include "frontend/ptx/passes/expand.h"

/* Bytes of the stack, of each thread. */
enum { STACK = 64 << 10, FRAME_ALIGNMENT = 16 };

/* Marks inputs whose values are set at the end. */
#define MARK UINT64_C(0x52656375)

/* ---- Who calls itself ---- */

static struct ptx_function *called(const struct ptx_module *module, const char *name)
{
    struct ptx_function *const function = name ? ptx_find_function(module, name, strlen(name)) : NULL;
    return function && function->alias ? ptx_find_function(module, function->alias, strlen(function->alias)) : function;
}

/* Whether the function's calls, or theirs, reach the target. */
static bool reaches(const struct ptx_module *module, struct ptx_function *function, const struct ptx_function *target)
{
    function->visited = true;
    for (size_t n = 0; n < function->call_count; n++) {
        struct ptx_function *const next = called(module, function->calls[n].callee);
        if (next && (next == target || (!next->visited && reaches(module, next, target))))
            return true;
    }
    return false;
}

bool ptx_is_recursive(const struct ptx_module *module, struct ptx_function *function)
{
    for (size_t n = 0; n < module->function_count; n++)
        module->functions[n]->visited = false;
    return reaches(module, function, function);
}

/* ---- Operations ---- */

static enum ws_status constant(struct ptx_kernel *kernel, u64 value, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = value};
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

static enum ws_status new_register(struct ptx_kernel *kernel, u8 width, u16 *slot)
{
    return ptx_add_register(kernel->arena, &kernel->body, width, slot, kernel->error);
}

/* to = a opcode b */
static enum ws_status compute(struct ptx_kernel *kernel, u32 line, enum ws_opcode opcode, u8 width, u16 a, u16 b, u16 to)
{
    struct ws_op op = ptx_op(opcode, ptx_width_type(width), line);
    op.width = width;
    op.dst[0] = to;
    op.src[0] = a;
    op.src[1] = b;
    return ptx_add_kernel_op(kernel, &op);
}

/* Constants of calls have 64 bits. */
static enum ws_status move(struct ptx_kernel *kernel, u32 line, u16 from, u16 to)
{
    const u8 width = kernel->body.widths[to];
    if (!ptx_is_register(&kernel->body, from) && ptx_input(&kernel->body, from)->kind == WS_INPUT_constant && width < 8)
        WS_TRY(constant(kernel, ptx_input(&kernel->body, from)->value & ((UINT64_C(1) << 8 * width) - 1), &from));
    return compute(kernel, line, WS_OP_mov, kernel->body.widths[to], from, WS_SLOT_NONE, to);
}

/* Jumps to the label if a compares so with b. */
static enum ws_status jump_if(struct ptx_kernel *kernel, u32 line, enum ws_compare compare, enum ws_type type, u16 a, u16 b,
                              u32 label)
{
    struct ws_op asks = ptx_op(WS_OP_setp, type, line), branch = ptx_op(WS_OP_branch, WS_TYPE_none, line);
    asks.compare = (u8)compare;
    asks.width = 1;
    asks.src[0] = a;
    asks.src[1] = b;
    WS_TRY(new_register(kernel, 1, &asks.dst[0]));
    branch.guard = asks.dst[0];
    branch.target = label;
    WS_TRY(ptx_add_kernel_op(kernel, &asks));
    return ptx_add_kernel_op(kernel, &branch);
}

static enum ws_status jump(struct ptx_kernel *kernel, u32 line, u32 label)
{
    struct ws_op op = ptx_op(WS_OP_jump, WS_TYPE_none, line);
    op.target = label;
    return ptx_add_kernel_op(kernel, &op);
}

static enum ws_status add_label(struct ptx_kernel *kernel, bool here, u32 *label)
{
    WS_TRY(ptx_add_label(kernel->arena, &kernel->body, label, kernel->error));
    if (here)
        kernel->body.labels[*label] = (u32)kernel->body.op_count;
    return WS_STATUS_ok;
}

/* ---- The stack ---- */

static enum ws_status add_stack(struct ptx_kernel *kernel)
{
    struct ptx_module *const module = kernel->module;
    struct ptx_stack *const stack = &kernel->stack;
    struct ptx_variable *const larger =
        ws_arena_grow(module->arena, module->variables, module->variable_count, &module->variable_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(kernel->error);
    module->variables = larger;
    stack->used = true;
    stack->variable = (u32)module->variable_count++;
    module->variables[stack->variable] = (struct ptx_variable){
        .name = "the stack of functions that call themselves", .space = WS_SPACE_local, .bytes = STACK, .align = FRAME_ALIGNMENT};
    return new_register(kernel, 8, &stack->top);
}

static enum ws_status stack_address(struct ptx_kernel *kernel, u64 offset, u16 *slot)
{
    const struct ws_input input = {
        .kind = WS_INPUT_address, .space = WS_SPACE_local, .value = offset << 32 | kernel->stack.variable};
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

/* Begins with an empty stack, for a function that is called from outside; its frames have a size of their own. */
static enum ws_status begin_frames(struct ptx_kernel *kernel, u32 line)
{
    struct ptx_stack *const stack = &kernel->stack;
    u16 base;
    if (!stack->used)
        WS_TRY(add_stack(kernel));
    stack->frame = 0;
    stack->place_count = 0;
    stack->trees++;
    WS_TRY(constant(kernel, MARK + stack->trees, &stack->bytes));
    WS_TRY(stack_address(kernel, MARK + stack->trees, &stack->limit));
    WS_TRY(stack_address(kernel, 0, &base));
    return move(kernel, line, base, stack->top);
}

/* Room in every frame. */
static u32 reserve(struct ptx_kernel *kernel, u32 bytes, u32 align)
{
    const u32 offset = (kernel->stack.frame + align - 1) / align * align;
    kernel->stack.frame = offset + bytes;
    return offset;
}

/* The place of a local variable in frames. */
static enum ws_status find_place(struct ptx_kernel *kernel, u32 variable, u32 *place)
{
    struct ptx_stack *const stack = &kernel->stack;
    const size_t count = kernel->module->variable_count;
    if (variable >= stack->place_count) {
        u32 *const places = ws_arena_array(kernel->arena, count, sizeof *places);
        if (!places)
            return ptx_no_memory(kernel->error);
        memset(places, 0xFF, count * sizeof *places);
        if (stack->place_count)
            memcpy(places, stack->places, stack->place_count * sizeof *places);
        stack->places = places;
        stack->place_count = count;
    }
    const struct ptx_variable *const own = &kernel->module->variables[variable];
    if (stack->places[variable] == PTX_NOWHERE)
        stack->places[variable] = reserve(kernel, own->bytes, own->align < FRAME_ALIGNMENT ? own->align : FRAME_ALIGNMENT);
    *place = stack->places[variable];
    return WS_STATUS_ok;
}

enum ws_status ptx_map_framed(struct ptx_copy *copy, u32 line, const struct ws_input *input, u16 *slot)
{
    struct ptx_kernel *const kernel = copy->kernel;
    u32 place = 0;
    u16 offset;
    WS_TRY(find_place(kernel, (u32)input->value, &place));
    WS_TRY(constant(kernel, place + (input->value >> 32), &offset));
    WS_TRY(new_register(kernel, 8, slot));
    return compute(kernel, line, WS_OP_add, 8, kernel->stack.top, offset, *slot);
}

/* The size of a frame is known: all calls from the function are expanded. */
static enum ws_status end_frames(struct ptx_kernel *kernel)
{
    struct ptx_stack *const stack = &kernel->stack;
    const u32 bytes = reserve(kernel, 0, FRAME_ALIGNMENT);
    if (bytes > STACK / 2)
        return ws_fail(kernel->error, WS_STATUS_bad_input,
                       "%s: functions that call themselves need %u bytes for each call; at most %d", kernel->body.where, bytes,
                       STACK / 2);
    ptx_input(&kernel->body, stack->bytes)->value = bytes;
    ptx_input(&kernel->body, stack->limit)->value = (u64)(STACK - 2 * bytes) << 32 | stack->variable;
    return WS_STATUS_ok;
}

/* ---- The body ---- */

enum ws_status ptx_begin_recursive(struct ptx_copy *copy, u32 line)
{
    struct ptx_kernel *const kernel = copy->kernel;
    u16 zero;
    if (!copy->caller->framed)
        WS_TRY(begin_frames(kernel, line));
    WS_TRY(new_register(kernel, 4, &copy->back));
    WS_TRY(constant(kernel, 0, &zero));
    WS_TRY(move(kernel, line, zero, copy->back));
    return add_label(kernel, true, &copy->entry);
}

/* The return label has been placed: continues behind the call. */
enum ws_status ptx_end_recursive(struct ptx_copy *copy, u32 line)
{
    for (size_t n = 0; n < copy->site_count; n++) {
        u16 number;
        WS_TRY(constant(copy->kernel, n + 1, &number));
        WS_TRY(jump_if(copy->kernel, line, WS_COMPARE_eq, WS_TYPE_u32, copy->back, number, copy->sites[n]));
    }
    return copy->caller->framed ? WS_STATUS_ok : end_frames(copy->kernel);
}

/* ---- What is needed again ---- */

/* Registers and objects of a function that are read behind one of its operations. */
struct needed {
    const struct ptx_function *function;
    bool *registers, *objects, *visited;
};

static void need_slot(const struct needed *needed, u16 slot)
{
    const struct ptx_body *const body = &needed->function->body;
    if (slot == WS_SLOT_NONE)
        return;
    if (ptx_is_register(body, slot)) {
        needed->registers[slot] = true;
        return;
    }
    const struct ws_input *const input = ptx_input(body, slot);
    if (input->kind == WS_INPUT_address && input->space == WS_SPACE_parameter)
        needed->objects[(u32)input->value] = true;
}

static void need_actuals(const struct needed *needed, const struct ptx_actual *actuals, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (actuals[n].is_object)
            needed->objects[actuals[n].object] = true;
        else
            need_slot(needed, actuals[n].slot);
}

static void need_operands(const struct needed *needed, const struct ws_op *op)
{
    const bool writes = op->opcode == WS_OP_st && op->space == WS_SPACE_parameter; /* its address is no use of the object */
    need_slot(needed, op->guard);
    for (u32 n = writes ? 1 : 0; n < WS_OP_SOURCES; n++)
        need_slot(needed, op->src[n]);
    if (op->opcode != WS_OP_call)
        return;
    const struct ptx_call *const call = &needed->function->calls[op->target];
    need_slot(needed, call->pointer);
    need_actuals(needed, call->arguments, call->argument_count);
}

/* Follows all paths from the operation on. */
static enum ws_status follow(const struct needed *needed, struct ptx_kernel *kernel, size_t from)
{
    const struct ptx_body *const body = &needed->function->body;
    size_t *const stack = ws_arena_array(kernel->arena, body->op_count + 1, sizeof *stack);
    size_t left = 0;
    if (!stack)
        return ptx_no_memory(kernel->error);
    stack[left++] = from;
    while (left > 0) {
        size_t n = stack[--left];
        while (n < body->op_count && !needed->visited[n]) {
            const struct ws_op *const op = &body->ops[n];
            const bool goes = op->opcode == WS_OP_branch || op->opcode == WS_OP_jump;
            needed->visited[n] = true;
            need_operands(needed, op);
            if (goes && body->labels[op->target] < body->op_count && !needed->visited[body->labels[op->target]])
                stack[left++] = body->labels[op->target];
            if (op->guard == WS_SLOT_NONE &&
                (op->opcode == WS_OP_jump || op->opcode == WS_OP_exit || op->opcode == WS_OP_trap || op->opcode == WS_OP_ret))
                break;
            n++;
        }
    }
    return WS_STATUS_ok;
}

static enum ws_status find_needed(const struct ptx_copy *copy, struct needed *needed)
{
    struct ptx_kernel *const kernel = copy->kernel;
    const struct ptx_body *const body = &copy->function->body;
    needed->function = copy->function;
    needed->registers = ws_arena_array(kernel->arena, body->register_count + 1, sizeof(bool));
    needed->objects = ws_arena_array(kernel->arena, body->object_count + 1, sizeof(bool));
    needed->visited = ws_arena_array(kernel->arena, body->op_count + 1, sizeof(bool));
    if (!needed->registers || !needed->objects || !needed->visited)
        return ptx_no_memory(kernel->error);
    return follow(needed, kernel, copy->at + 1);
}

/* ---- Frames ---- */

/* Saves a value at offset of the frame, or restores it. A predicate is saved as a number. */
static enum ws_status transfer(struct ptx_kernel *kernel, u32 line, bool saves, u32 offset, u16 slot)
{
    const u8 width = kernel->body.widths[slot], bytes = width == 1 ? 4 : width;
    struct ws_op access = ptx_op(saves ? WS_OP_st : WS_OP_ld, ptx_width_type(bytes), line);
    u16 value = slot, zero, one;
    if (width == 1)
        WS_TRY(new_register(kernel, 4, &value));
    WS_TRY(constant(kernel, 0, &zero));
    WS_TRY(constant(kernel, 1, &one));
    if (width == 1 && saves) {
        struct ws_op select = ptx_op(WS_OP_selp, WS_TYPE_u32, line);
        select.width = 4;
        select.dst[0] = value;
        select.src[0] = one;
        select.src[1] = zero;
        select.src[2] = slot;
        WS_TRY(ptx_add_kernel_op(kernel, &select));
    }
    access.space = WS_SPACE_local;
    access.offset = (i32)offset;
    access.src[0] = kernel->stack.top;
    access.width = saves ? 0 : bytes;
    if (saves)
        access.src[1] = value;
    else
        access.dst[0] = value;
    WS_TRY(ptx_add_kernel_op(kernel, &access));
    if (width > 1 || saves)
        return WS_STATUS_ok;
    struct ws_op asks = ptx_op(WS_OP_setp, WS_TYPE_u32, line);
    asks.compare = WS_COMPARE_ne;
    asks.width = 1;
    asks.dst[0] = slot;
    asks.src[0] = value;
    asks.src[1] = zero;
    return ptx_add_kernel_op(kernel, &asks);
}

/* The contents of an object, byte for byte in words of its type. */
static enum ws_status transfer_object(struct ptx_kernel *kernel, u32 line, bool saves, u32 offset, u32 number)
{
    const struct ptx_object object = kernel->body.objects[number];
    const u32 piece = object.bytes % 8 == 0 && object.align >= 8 ? 8 : object.bytes % 4 == 0 && object.align >= 4 ? 4 : 1;
    for (u32 at = 0; at < object.bytes; at += piece) {
        const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_parameter, .value = number};
        struct ws_op load = ptx_op(WS_OP_ld, piece == 1 ? WS_TYPE_u8 : ptx_width_type(piece), line), store = load;
        u16 address;
        WS_TRY(ptx_add_input(kernel->arena, &kernel->body, &input, &address, kernel->error));
        store.opcode = WS_OP_st;
        load.width = piece == 1 ? 2 : (u8)piece;
        WS_TRY(new_register(kernel, load.width, &load.dst[0]));
        store.src[1] = load.dst[0];
        load.space = saves ? PTX_SPACE_CALL : WS_SPACE_local;
        store.space = saves ? WS_SPACE_local : PTX_SPACE_CALL;
        load.src[0] = saves ? address : kernel->stack.top;
        store.src[0] = saves ? kernel->stack.top : address;
        load.offset = (i32)(saves ? at : offset + at);
        store.offset = (i32)(saves ? offset + at : at);
        WS_TRY(ptx_add_kernel_op(kernel, &load));
        WS_TRY(ptx_add_kernel_op(kernel, &store));
    }
    return WS_STATUS_ok;
}

static bool is_result(const struct ptx_call *call, u32 object)
{
    for (size_t n = 0; n < call->result_count; n++)
        if (call->results[n].is_object && call->results[n].object == object)
            return true;
    return false;
}

/* Saves what one function needs behind its call. The call's own results come from it. */
static enum ws_status transfer_function(const struct ptx_copy *copy, u32 line, bool saves, const struct ptx_call *own, u32 *offset)
{
    struct ptx_kernel *const kernel = copy->kernel;
    const struct ptx_body *const body = &copy->function->body;
    struct needed needed;
    WS_TRY(find_needed(copy, &needed));
    for (size_t n = 0; n < body->register_count; n++) {
        if (!needed.registers[n])
            continue;
        WS_TRY(transfer(kernel, line, saves, *offset, (u16)(copy->first_register + n)));
        *offset += 8;
    }
    for (u32 n = 0; n < body->object_count; n++) {
        if (!needed.objects[n] || (own && is_result(own, n)))
            continue;
        WS_TRY(transfer_object(kernel, line, saves, *offset, copy->objects[n]));
        *offset += (body->objects[n].bytes + 7) / 8 * 8;
    }
    if (!copy->recursive)
        return WS_STATUS_ok;
    WS_TRY(transfer(kernel, line, saves, *offset, copy->back));
    *offset += 8;
    return WS_STATUS_ok;
}

/* Of all functions from the caller to the running copy of the called one. */
static enum ws_status transfer_all(const struct ptx_copy *caller, const struct ptx_copy *target, const struct ptx_call *call,
                                   bool saves, u32 first)
{
    u32 offset = first;
    for (const struct ptx_copy *copy = caller;; copy = copy->caller) {
        WS_TRY(transfer_function(copy, call->line, saves, copy == caller ? call : NULL, &offset));
        if (copy == target)
            break;
    }
    if (saves)
        reserve(caller->kernel, offset - first, 8);
    return WS_STATUS_ok;
}

/* ---- The call ---- */

/* Another frame must fit. */
static enum ws_status check_stack(struct ptx_kernel *kernel, u32 line)
{
    struct ws_op trap = ptx_op(WS_OP_trap, WS_TYPE_none, line);
    u32 fits;
    WS_TRY(add_label(kernel, false, &fits));
    WS_TRY(jump_if(kernel, line, WS_COMPARE_le, WS_TYPE_u64, kernel->stack.top, kernel->stack.limit, fits));
    trap.mode = WS_TRAP_stack;
    WS_TRY(ptx_add_kernel_op(kernel, &trap));
    kernel->body.labels[fits] = (u32)kernel->body.op_count;
    return WS_STATUS_ok;
}

/* Values that are no objects wait in registers of their own, until all have been read (arguments) or all are restored (results). */
static enum ws_status take(struct ptx_kernel *kernel, u32 line, bool is_object, u32 object, u16 slot, u8 width, u16 *taken)
{
    WS_TRY(new_register(kernel, width, taken));
    return is_object ? ptx_load_object(kernel, line, object, *taken) : move(kernel, line, slot, *taken);
}

static enum ws_status put(struct ptx_kernel *kernel, u32 line, bool is_object, u32 object, u16 slot, u16 taken)
{
    return is_object ? ptx_store_object(kernel, line, object, taken) : move(kernel, line, taken, slot);
}

static enum ws_status pass_arguments(struct ptx_copy *caller, const struct ptx_copy *target, const struct ptx_call *call)
{
    struct ptx_kernel *const kernel = caller->kernel;
    u16 *const taken = ws_arena_array(kernel->arena, call->argument_count + 1, sizeof *taken);
    if (!taken)
        return ptx_no_memory(kernel->error);
    for (size_t n = 0; n < call->argument_count; n++) {
        const struct ptx_actual *const actual = &call->arguments[n];
        const struct ptx_formal *const formal = &target->function->parameters[n];
        const u32 bytes =
            formal->is_object ? target->function->body.objects[formal->object].bytes : target->function->body.widths[formal->slot];
        u16 slot = actual->slot;
        if (actual->is_object && formal->is_object)
            continue;
        if (!actual->is_object)
            WS_TRY(ptx_map_slot(caller, call->line, &slot));
        WS_TRY(take(kernel, call->line, actual->is_object, actual->is_object ? caller->objects[actual->object] : 0, slot,
                    bytes < 2 && formal->is_object ? 2 : (u8)bytes, &taken[n]));
    }
    for (size_t n = 0; n < call->argument_count; n++) {
        const struct ptx_actual *const actual = &call->arguments[n];
        const struct ptx_formal *const formal = &target->function->parameters[n];
        const u32 object = formal->is_object ? target->objects[formal->object] : 0;
        WS_TRY(actual->is_object && formal->is_object
                   ? ptx_copy_object(kernel, call->line, caller->objects[actual->object], object)
                   : put(kernel, call->line, formal->is_object, object, (u16)(target->first_register + formal->slot), taken[n]));
    }
    return WS_STATUS_ok;
}

/* Restores the frame, and passes the results. */
static enum ws_status take_results(struct ptx_copy *caller, const struct ptx_copy *target, const struct ptx_call *call, u32 first)
{
    struct ptx_kernel *const kernel = caller->kernel;
    u16 *const taken = ws_arena_array(kernel->arena, call->result_count + 1, sizeof *taken);
    if (!taken)
        return ptx_no_memory(kernel->error);
    for (size_t n = 0; n < call->result_count; n++) {
        const struct ptx_actual *const actual = &call->results[n];
        const struct ptx_formal *const formal = &target->function->results[n];
        const u32 object = formal->is_object ? target->objects[formal->object] : 0;
        const u32 bytes =
            formal->is_object ? target->function->body.objects[formal->object].bytes : target->function->body.widths[formal->slot];
        if (actual->is_object && formal->is_object)
            WS_TRY(ptx_copy_object(kernel, call->line, object, caller->objects[actual->object]));
        else
            WS_TRY(take(kernel, call->line, formal->is_object, object, (u16)(target->first_register + formal->slot),
                        bytes < 2 && formal->is_object ? 2 : (u8)bytes, &taken[n]));
    }
    WS_TRY(transfer_all(caller, target, call, false, first));
    for (size_t n = 0; n < call->result_count; n++) {
        const struct ptx_actual *const actual = &call->results[n];
        u16 slot = actual->slot;
        if (actual->is_object && target->function->results[n].is_object)
            continue;
        if (!actual->is_object)
            WS_TRY(ptx_map_slot(caller, call->line, &slot));
        WS_TRY(put(kernel, call->line, actual->is_object, actual->is_object ? caller->objects[actual->object] : 0, slot, taken[n]));
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_expand_recursion(struct ptx_copy *caller, const struct ptx_call *call, struct ptx_function *function)
{
    struct ptx_kernel *const kernel = caller->kernel;
    struct ptx_copy *target = caller;
    u16 number;
    while (target->function != function)
        target = target->caller;
    WS_TRY(ptx_check_call(caller, function, call));
    u32 *const sites = ws_arena_grow(kernel->arena, target->sites, target->site_count, &target->site_room, sizeof *sites);
    if (!sites)
        return ptx_no_memory(kernel->error);
    target->sites = sites;
    const u32 first = (kernel->stack.frame + 7) / 8 * 8;
    WS_TRY(check_stack(kernel, call->line));
    WS_TRY(transfer_all(caller, target, call, true, first));
    WS_TRY(pass_arguments(caller, target, call));
    WS_TRY(constant(kernel, target->site_count + 1, &number));
    WS_TRY(move(kernel, call->line, number, target->back));
    WS_TRY(compute(kernel, call->line, WS_OP_add, 8, kernel->stack.top, kernel->stack.bytes, kernel->stack.top));
    WS_TRY(jump(kernel, call->line, target->entry));
    WS_TRY(add_label(kernel, true, &target->sites[target->site_count]));
    target->site_count++;
    WS_TRY(compute(kernel, call->line, WS_OP_sub, 8, kernel->stack.top, kernel->stack.bytes, kernel->stack.top));
    return take_results(caller, target, call, first);
}
