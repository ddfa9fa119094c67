#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/plan.h"

static bool has_arrivals(const struct ws_kernel *kernel)
{
    for (u32 n = 0; n < kernel->op_count; n++)
        if (kernel->ops[n].opcode == WS_OP_bar_arrive)
            return true;
    return false;
}

/* Whether a barrier gives a number of threads that is not the block's, as is or rounded up to warps of 32; or any, where others
 * only arrive. A number that is no constant is looked at when it is executed. */
static bool is_partial(const struct ws_plan *plan, const struct ws_op *op, bool arrivals)
{
    const struct ws_kernel *const kernel = plan->kernel;
    if (op->opcode != WS_OP_bar || op->src[1] == WS_SLOT_NONE)
        return false;
    if (arrivals || op->src[1] < kernel->registers)
        return arrivals;
    const struct ws_input *const input = &kernel->inputs[op->src[1] - kernel->registers];
    const u32 all = plan->block_threads;
    return input->kind == WS_INPUT_constant && input->value != all && input->value != (all + 31) / 32 * 32;
}

enum ws_status ws_plan_split_barriers(struct ws_plan *plan, struct ws_error *error)
{
    const struct ws_kernel *const kernel = plan->kernel;
    const bool arrivals = has_arrivals(kernel);
    u32 first = 0;
    while (first < kernel->op_count && !is_partial(plan, &kernel->ops[first], arrivals))
        first++;
    if (first == kernel->op_count)
        return WS_STATUS_ok;
    plan->own = malloc(sizeof *plan->own);
    struct ws_instruction *const program = malloc(kernel->op_count * sizeof *program);
    if (!plan->own || !program) {
        free(program);
        free(plan->own);
        plan->own = NULL;
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
    }
    memcpy(program, kernel->program, kernel->op_count * sizeof *program);
    for (u32 n = first; n < kernel->op_count; n++)
        if (is_partial(plan, &kernel->ops[n], arrivals))
            program[n].class_ = WS_CLASS_int;
    *plan->own = *kernel;
    plan->own->program = program;
    plan->kernel = plan->own;
    return WS_STATUS_ok;
}
