/* Calls of printf, with the arguments of OpenCL compilers, and of vprintf, with those of CUDA. */
#include <string.h>

#include "frontend/ptx/forms.h"
#include "frontend/ptx/passes/expand.h"

bool ptx_is_print(const char *name)
{
    return strcmp(name, "printf") == 0 || strcmp(name, "vprintf") == 0;
}

/* An argument of 8 bytes in a slot of the kernel. */
enum ws_status ptx_take_pointer(struct ptx_copy *caller, const struct ptx_call *call, size_t n, u16 *slot)
{
    struct ptx_kernel *const kernel = caller->kernel;
    const struct ptx_actual *const actual = n < call->argument_count ? &call->arguments[n] : NULL;
    if (!actual || (actual->is_object && caller->function->body.objects[actual->object].bytes != 8))
        return ptx_fail_expanding(kernel, call->line, "expected an address as an argument of", call->callee);
    *slot = actual->slot;
    if (!actual->is_object)
        return ptx_map_slot(caller, call->line, slot);
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, 8, slot, kernel->error));
    return ptx_load_object(kernel, call->line, caller->objects[actual->object], *slot);
}

/* ---- Arguments of printf: consecutive in a local variable, each aligned to its size. A variadic printf has them in one object,
 * which clang 16 does not align ---- */

static u32 bytes_of(const struct ptx_copy *caller, const struct ptx_actual *actual)
{
    const struct ptx_body *const body = &caller->function->body;
    if (actual->is_object)
        return body->objects[actual->object].bytes;
    return ptx_is_register(body, actual->slot) ? body->widths[actual->slot] : 8;
}

static u32 place_of(u32 end, u32 bytes)
{
    const u32 align = bytes < 4 ? 4 : bytes > 16 ? 16 : bytes;
    return (end + align - 1) / align * align;
}

static enum ws_status add_variable(struct ptx_kernel *kernel, u32 bytes, u32 *number)
{
    struct ptx_module *const module = kernel->module;
    struct ptx_variable *const larger =
        ws_arena_grow(module->arena, module->variables, module->variable_count, &module->variable_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(kernel->error);
    module->variables = larger;
    module->variables[module->variable_count] =
        (struct ptx_variable){.name = "arguments of printf", .space = WS_SPACE_local, .bytes = bytes, .align = 16};
    *number = (u32)module->variable_count++;
    return WS_STATUS_ok;
}

static enum ws_status variable_address(struct ptx_kernel *kernel, u32 variable, u32 offset, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_address, .space = WS_SPACE_local, .value = (u64)offset << 32 | variable};
    return ptx_add_input(kernel->arena, &kernel->body, &input, slot, kernel->error);
}

/* Copies bytes (a power of two) from the object at offset to the variable at place. */
static enum ws_status copy_piece(struct ptx_kernel *kernel, u32 line, u32 object, u32 offset, u32 variable, u32 place, u32 bytes)
{
    const enum ws_type type = bytes == 1 ? WS_TYPE_u8 : ptx_width_type(bytes);
    const struct ws_input from = {.kind = WS_INPUT_address, .space = WS_SPACE_parameter, .value = (u64)offset << 32 | object};
    struct ws_op load = ptx_op(WS_OP_ld, type, line), store = ptx_op(WS_OP_st, type, line);
    load.space = PTX_SPACE_CALL;
    load.width = bytes == 1 ? 2 : (u8)bytes;
    WS_TRY(ptx_add_input(kernel->arena, &kernel->body, &from, &load.src[0], kernel->error));
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, load.width, &load.dst[0], kernel->error));
    WS_TRY(ptx_add_kernel_op(kernel, &load));
    store.space = WS_SPACE_local;
    store.src[1] = load.dst[0];
    WS_TRY(variable_address(kernel, variable, place, &store.src[0]));
    return ptx_add_kernel_op(kernel, &store);
}

static enum ws_status store_argument(struct ptx_copy *caller, u32 line, const struct ptx_actual *actual, u32 variable, u32 place)
{
    struct ptx_kernel *const kernel = caller->kernel;
    const u32 bytes = bytes_of(caller, actual);
    if (actual->is_object) {
        const u32 piece = bytes % 8 == 0 && bytes == 8 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
        for (u32 at = 0; at < bytes; at += piece)
            WS_TRY(copy_piece(kernel, line, caller->objects[actual->object], at, variable, place + at, piece));
        return WS_STATUS_ok;
    }
    struct ws_op store = ptx_op(WS_OP_st, ptx_width_type(bytes), line);
    store.space = WS_SPACE_local;
    store.src[1] = actual->slot;
    WS_TRY(ptx_map_slot(caller, line, &store.src[1]));
    WS_TRY(variable_address(kernel, variable, place, &store.src[0]));
    return ptx_add_kernel_op(kernel, &store);
}

static enum ws_status lay_out(struct ptx_copy *caller, const struct ptx_call *call, u16 *slot)
{
    u32 end = 0, variable = 0;
    for (size_t n = 1; n < call->argument_count; n++)
        end = place_of(end, bytes_of(caller, &call->arguments[n])) + bytes_of(caller, &call->arguments[n]);
    WS_TRY(add_variable(caller->kernel, end ? end : 1, &variable));
    end = 0;
    for (size_t n = 1; n < call->argument_count; n++) {
        const u32 place = place_of(end, bytes_of(caller, &call->arguments[n]));
        WS_TRY(store_argument(caller, call->line, &call->arguments[n], variable, place));
        end = place + bytes_of(caller, &call->arguments[n]);
    }
    return variable_address(caller->kernel, variable, 0, slot);
}

/* ---- Assertions of CUDA: __assertfail(message, file, line, function, bytes of a character) ---- */

enum ws_status ptx_expand_assertion(struct ptx_copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *const kernel = caller->kernel;
    struct ws_op print = ptx_op(WS_OP_print, WS_TYPE_none, call->line);
    const struct ws_op trap = ptx_op(WS_OP_trap, WS_TYPE_none, call->line);
    if (call->argument_count == 5) {
        print.mode = WS_PRINT_ASSERTION;
        print.space = WS_SPACE_local;
        WS_TRY(ptx_take_pointer(caller, call, 0, &print.src[0]));
        WS_TRY(lay_out(caller, call, &print.src[1]));
        WS_TRY(ptx_add_kernel_op(kernel, &print));
    }
    return ptx_add_kernel_op(kernel, &trap);
}

/* ---- The call ---- */

enum ws_status ptx_expand_print(struct ptx_copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *const kernel = caller->kernel;
    const struct ptx_function *const declared = ptx_find_function(kernel->module, call->callee, strlen(call->callee));
    const bool laid_out = strcmp(call->callee, "vprintf") == 0;
    struct ws_op print = ptx_op(WS_OP_print, WS_TYPE_none, call->line);
    print.mode = declared && declared->variadic ? WS_PRINT_PACKED : WS_PRINT_ALIGNED;
    print.space = laid_out ? WS_SPACE_generic : WS_SPACE_local;
    WS_TRY(ptx_take_pointer(caller, call, 0, &print.src[0]));
    WS_TRY(laid_out ? ptx_take_pointer(caller, call, 1, &print.src[1]) : lay_out(caller, call, &print.src[1]));
    if (call->result_count == 0)
        return ptx_add_kernel_op(kernel, &print);
    const struct ptx_actual *const result = &call->results[0];
    if (call->result_count > 1 || bytes_of(caller, result) != 4)
        return ptx_fail_expanding(kernel, call->line, "expected one result of 32 bits of", call->callee);
    print.width = 4;
    if (!result->is_object) {
        print.dst[0] = result->slot;
        WS_TRY(ptx_map_slot(caller, call->line, &print.dst[0]));
        return ptx_add_kernel_op(kernel, &print);
    }
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, 4, &print.dst[0], kernel->error));
    WS_TRY(ptx_add_kernel_op(kernel, &print));
    return ptx_store_object(kernel, call->line, caller->objects[result->object], print.dst[0]);
}
