#include "frontend/ptx/passes/kernel.h"

/* Which source of a selp shares the destination's register: 0 or 1; 2 for neither or both. */
static u32 shared_source(const struct ptx_kernel *kernel, const struct ws_op *op, const struct ptx_allocation *allocation)
{
    u32 shared = 2;
    for (u32 s = 0; s < 2; s++) {
        if (!ptx_is_register(&kernel->body, op->src[s]) || allocation->of[op->src[s]] != allocation->of[op->dst[0]])
            continue;
        if (shared != 2)
            return 2;
        shared = s;
    }
    return shared;
}

void ptx_mark_guarded_moves(const struct ptx_kernel *kernel, struct ptx_linear *linear, const struct ptx_allocation *allocation)
{
    for (u32 n = 0; n < linear->count; n++) {
        struct ws_op *op = &linear->ops[n];
        if (op->opcode != WS_OP_selp || op->guard != WS_SLOT_NONE || op->dst[0] == WS_SLOT_NONE)
            continue;
        const u32 shared = shared_source(kernel, op, allocation);
        if (shared == 2)
            continue;
        op->opcode = WS_OP_cmov;
        op->flags |= shared == 0 ? WS_OP_NOT_SOURCE : 0; /* src[1], the other source, is used when the predicate is 0 */
    }
}
