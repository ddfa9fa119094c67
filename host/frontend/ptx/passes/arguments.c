#include "frontend/ptx/forms.h"
#include "frontend/ptx/passes/expand.h"

enum ws_type ptx_width_type(u32 width)
{
    return width == 1 ? WS_TYPE_pred : width == 2 ? WS_TYPE_u16 : width == 4 ? WS_TYPE_u32 : WS_TYPE_u64;
}

static enum ws_status object_address(struct ptx_kernel *kernel, u32 object, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_parameter, .value = object};
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

/* Constants of calls have 64 bits: truncated to what is passed. */
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

enum ws_status ptx_store_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot)
{
    const enum ws_type type = whole_type(&kernel->body.objects[object]);
    struct ws_op op = ptx_op(WS_OP_st, type, line);
    op.space = PTX_SPACE_CALL;
    WS_TRY(narrow_constant(kernel, ws_type_bytes(type), &slot));
    op.src[1] = slot;
    WS_TRY(object_address(kernel, object, &op.src[0]));
    return ptx_add_kernel_op(kernel, &op);
}

enum ws_status ptx_load_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot)
{
    struct ws_op op = ptx_op(WS_OP_ld, whole_type(&kernel->body.objects[object]), line);
    op.space = PTX_SPACE_CALL;
    op.width = kernel->body.widths[slot];
    op.dst[0] = slot;
    WS_TRY(object_address(kernel, object, &op.src[0]));
    return ptx_add_kernel_op(kernel, &op);
}

static enum ws_status move(struct ptx_kernel *kernel, u32 line, u16 from, u16 to)
{
    const u8 width = kernel->body.widths[to];
    struct ws_op op = ptx_op(WS_OP_mov, ptx_width_type(width), line);
    WS_TRY(narrow_constant(kernel, width, &from));
    op.width = width;
    op.dst[0] = to;
    op.src[0] = from;
    return ptx_add_kernel_op(kernel, &op);
}

/* One side of an argument or result, in the kernel's body. */
struct place {
    bool is_object;
    u16 slot;
    u32 object;
    u32 bytes; /* as declared by the caller or the function; 0 for a constant */
};

static enum ws_status place_of_actual(struct ptx_copy *caller, u32 line, const struct ptx_actual *actual, struct place *place)
{
    const struct ptx_body *body = &caller->function->body;
    *place = (struct place){.is_object = actual->is_object, .slot = actual->slot};
    if (actual->is_object) {
        place->object = caller->objects[actual->object];
        place->bytes = body->objects[actual->object].bytes;
        return WS_STATUS_ok;
    }
    place->bytes = ptx_is_register(body, actual->slot) ? body->widths[actual->slot] : 0;
    return ptx_map_slot(caller, line, &place->slot);
}

static struct place place_of_formal(const struct ptx_copy *callee, const struct ptx_formal *formal)
{
    const struct ptx_body *body = &callee->function->body;
    if (formal->is_object)
        return (struct place){
            .is_object = true, .object = callee->objects[formal->object], .bytes = body->objects[formal->object].bytes};
    return (struct place){.slot = (u16)(formal->slot + callee->first_register), .bytes = body->widths[formal->slot]};
}

enum ws_status ptx_copy_object(struct ptx_kernel *kernel, u32 line, u32 from, u32 to)
{
    const struct ptx_object object = kernel->body.objects[from];
    const bool whole = object.bytes == 8 || object.bytes == ws_type_bytes(object.type);
    const u32 piece = whole ? object.bytes : object.bytes % 8 == 0 && object.align >= 8 ? 8 : object.bytes % 4 == 0 ? 4 : 1;
    for (u32 at = 0; at < object.bytes; at += piece) {
        const enum ws_type type = piece == 1 ? WS_TYPE_u8 : ptx_width_type(piece);
        struct ws_op load = ptx_op(WS_OP_ld, type, line), store = ptx_op(WS_OP_st, type, line);
        load.space = store.space = PTX_SPACE_CALL;
        load.width = piece == 1 ? 2 : (u8)piece;
        load.offset = store.offset = (i32)at;
        WS_TRY(object_address(kernel, from, &load.src[0]));
        WS_TRY(object_address(kernel, to, &store.src[0]));
        WS_TRY(ptx_add_register(kernel->arena, &kernel->body, load.width, &load.dst[0], kernel->error));
        store.src[1] = load.dst[0];
        WS_TRY(ptx_add_kernel_op(kernel, &load));
        WS_TRY(ptx_add_kernel_op(kernel, &store));
    }
    return WS_STATUS_ok;
}

/* Copies a value. What is one object on both sides needs no copy. */
static enum ws_status pass(struct ptx_kernel *kernel, u32 line, const struct place *from, const struct place *to)
{
    if (from->is_object && to->is_object)
        return from->object == to->object ? WS_STATUS_ok : ptx_copy_object(kernel, line, from->object, to->object);
    if (to->is_object)
        return ptx_store_object(kernel, line, to->object, from->slot);
    if (from->is_object)
        return ptx_load_object(kernel, line, from->object, to->slot);
    return move(kernel, line, from->slot, to->slot);
}

static bool is_predicate(const struct place *place)
{
    return !place->is_object && place->bytes == 1;
}

/* Narrow values may use wider registers; otherwise both sides must agree. */
static bool fits(const struct place *a, const struct place *b)
{
    const u32 left = a->bytes, right = b->bytes;
    const bool fit = left == right || !left || !right || (left <= 4 && right <= 4 && !(a->is_object && b->is_object));
    return fit && is_predicate(a) == is_predicate(b);
}

static enum ws_status check_bytes(const struct ptx_kernel *kernel, const struct ptx_call *call, const struct place *a,
                                  const struct place *b)
{
    return fits(a, b) ? WS_STATUS_ok
                      : ptx_fail_expanding(kernel, call->line, "an argument or result has another size in", call->callee);
}

/* Sizes only, in function bodies. */
static struct place declared(const struct ptx_body *body, bool is_object, u32 object, u16 slot)
{
    const u32 width = ptx_is_register(body, slot) ? body->widths[slot] : 0;
    return (struct place){.is_object = is_object, .bytes = is_object ? body->objects[object].bytes : width};
}

static bool all_fit(const struct ptx_body *caller, const struct ptx_actual *actuals, const struct ptx_body *callee,
                    const struct ptx_formal *formals, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const struct place actual = declared(caller, actuals[n].is_object, actuals[n].object, actuals[n].slot);
        const struct place formal = declared(callee, formals[n].is_object, formals[n].object, formals[n].slot);
        if (!fits(&actual, &formal))
            return false;
    }
    return true;
}

bool ptx_call_fits(const struct ptx_copy *caller, const struct ptx_function *callee, const struct ptx_call *call)
{
    const struct ptx_body *const from = &caller->function->body, *const to = &callee->body;
    return call->argument_count == callee->parameter_count && call->result_count == callee->result_count &&
           all_fit(from, call->arguments, to, callee->parameters, call->argument_count) &&
           all_fit(from, call->results, to, callee->results, call->result_count);
}

enum ws_status ptx_check_call(const struct ptx_copy *caller, const struct ptx_function *callee, const struct ptx_call *call)
{
    return ptx_call_fits(caller, callee, call)
               ? WS_STATUS_ok
               : ptx_fail_expanding(caller->kernel, call->line, "an argument or result has another size in", call->callee);
}

enum ws_status ptx_pass_arguments(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call)
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

enum ws_status ptx_pass_results(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call)
{
    for (size_t n = 0; n < call->result_count; n++) {
        struct place to;
        const struct place from = place_of_formal(callee, &callee->function->results[n]);
        WS_TRY(place_of_actual(caller, call->line, &call->results[n], &to));
        if (!to.is_object && !ptx_is_register(&caller->kernel->body, to.slot))
            return ptx_fail_expanding(caller->kernel, call->line, "a result has to go into a register or parameter, in the call of",
                                      call->callee);
        WS_TRY(check_bytes(caller->kernel, call, &from, &to));
        WS_TRY(pass(caller->kernel, call->line, &from, &to));
    }
    return WS_STATUS_ok;
}
