/* What a kernel does with a parameter that PTX tells neither a pointer nor a number of. */
#include <stdlib.h>

#include "frontend/exec/argument_type.h"

struct use {
    const struct ws_kernel *kernel;
    bool *holds;         /* by slot: the parameter, possibly with something added */
    bool read, accessed; /* by any operation; as an address */
};

static bool holds(const struct use *use, u16 slot)
{
    return slot != WS_SLOT_NONE && use->holds[slot];
}

static bool is_address(const struct use *use, u32 n)
{
    const struct ws_op *const op = &use->kernel->ops[n];
    switch (use->kernel->program[n].class_) {
    case WS_CLASS_load:
    case WS_CLASS_store:
    case WS_CLASS_atomic:
        return holds(use, op->src[0]);
    default:
        return (op->opcode == WS_OP_cvta || op->opcode == WS_OP_cvta_to || op->opcode == WS_OP_isspacep ||
                op->opcode == WS_OP_prefetch) &&
               holds(use, op->src[0]);
    }
}

/* Whether the result is a source that the operation moves, or adds something to. */
static bool passes_on(const struct use *use, const struct ws_op *op)
{
    switch (op->opcode) {
    case WS_OP_mov:
    case WS_OP_sub:
        return holds(use, op->src[0]);
    case WS_OP_add:
    case WS_OP_and:
    case WS_OP_or:
    case WS_OP_selp:
    case WS_OP_cmov:
        return holds(use, op->src[0]) || holds(use, op->src[1]);
    case WS_OP_mad_lo:
    case WS_OP_mad_wide:
        return holds(use, op->src[2]);
    default:
        return false;
    }
}

/* One walk over all operations; true if it has found more. */
static bool walk(struct use *use)
{
    bool more = false;
    for (u32 n = 0; n < use->kernel->op_count; n++) {
        const struct ws_op *const op = &use->kernel->ops[n];
        for (u32 s = 0; s < WS_OP_SOURCES; s++)
            use->read |= holds(use, op->src[s]);
        use->accessed |= is_address(use, n);
        if (op->width == 8 && op->dst[0] != WS_SLOT_NONE && !use->holds[op->dst[0]] && passes_on(use, op))
            more = use->holds[op->dst[0]] = true;
    }
    return more;
}

bool ws_parameter_is_number(const struct ws_kernel *kernel, const struct ws_kernel_parameter *parameter)
{
    struct use use = {.kernel = kernel, .holds = calloc((size_t)kernel->registers + kernel->input_count + 1, sizeof *use.holds)};
    if (!use.holds)
        return false;
    for (u32 n = 0; n < kernel->input_count; n++)
        use.holds[kernel->registers + n] =
            kernel->inputs[n].kind == WS_INPUT_parameter && kernel->inputs[n].value == parameter->offset;
    while (walk(&use) && !use.accessed)
        ;
    free(use.holds);
    return use.read && !use.accessed;
}
