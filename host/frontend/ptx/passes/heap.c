/* Calls of malloc and free: an operation each on the heap, a variable in global memory (exec/memory/heap.c). */
#include <string.h>

#include "frontend/ptx/passes/expand.h"

bool ptx_is_heap(const char *name)
{
    return strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0;
}

enum ws_status ptx_expand_heap(struct ptx_copy *caller, const struct ptx_call *call)
{
    struct ptx_kernel *const kernel = caller->kernel;
    const bool takes = strcmp(call->callee, "malloc") == 0;
    const struct ws_input heap = {.kind = WS_INPUT_address, .space = WS_SPACE_global, .value = kernel->module->heap - 1};
    struct ws_op op = ptx_op(takes ? WS_OP_heap_take : WS_OP_heap_give, WS_TYPE_u64, call->line);
    if (call->argument_count != 1 || call->result_count > (takes ? 1u : 0u))
        return ptx_fail_expanding(kernel, call->line, "wrong number of arguments or results in the call of", call->callee);
    op.space = WS_SPACE_global;
    WS_TRY(ptx_add_input(kernel->arena, &kernel->body, &heap, &op.src[0], kernel->error));
    WS_TRY(ptx_take_pointer(caller, call, 0, &op.src[1]));
    if (call->result_count == 0)
        return ptx_add_kernel_op(kernel, &op);
    const struct ptx_actual *const result = &call->results[0];
    op.width = 8;
    if (!result->is_object) {
        op.dst[0] = result->slot;
        WS_TRY(ptx_map_slot(caller, call->line, &op.dst[0]));
        return ptx_add_kernel_op(kernel, &op);
    }
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, 8, &op.dst[0], kernel->error));
    WS_TRY(ptx_add_kernel_op(kernel, &op));
    return ptx_store_object(kernel, call->line, caller->objects[result->object], op.dst[0]);
}
