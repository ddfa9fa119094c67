#include "frontend/exec/memory/effects.h"

/* A buffer may be read as constant memory. Private memory and parameters are no other thread's. */
static u32 memory_of(u32 space)
{
    switch (space) {
    case WS_SPACE_shared:
        return WS_OF_BLOCK;
    case WS_SPACE_generic:
        return WS_OF_BLOCK | WS_OF_GRID;
    case WS_SPACE_global:
    case WS_SPACE_constant:
    case WS_SPACE_texture:
        return WS_OF_GRID;
    default:
        return 0;
    }
}

struct ws_effect ws_effect_of(const struct ws_kernel *kernel, u32 n)
{
    const struct ws_op *const op = &kernel->ops[n];
    const u32 memory = memory_of(op->space);
    if (op->opcode >= WS_OP_bulk_in && op->opcode <= WS_OP_tensor_out)
        return (struct ws_effect){.reads = WS_OF_BLOCK | WS_OF_GRID, .writes = WS_OF_BLOCK | WS_OF_GRID};
    switch (kernel->program[n].class_) {
    case WS_CLASS_load:
        return (struct ws_effect){.reads = memory};
    case WS_CLASS_store:
        return (struct ws_effect){.writes = memory};
    case WS_CLASS_atomic:
        return (struct ws_effect){.reads = memory, .writes = memory};
    default:
        return (struct ws_effect){0};
    }
}

void ws_split_accesses(const struct ws_kernel *kernel, bool *leads)
{
    struct ws_effect before = {0};
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_effect effect = ws_effect_of(kernel, n);
        leads[n] |= (effect.writes & (before.reads | before.writes)) != 0 || (effect.reads & before.writes) != 0;
        if (leads[n])
            before = (struct ws_effect){0};
        before.reads |= effect.reads;
        before.writes |= effect.writes;
    }
}
