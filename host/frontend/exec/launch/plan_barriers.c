#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/launch/plan.h"

static bool has_arrivals(const struct ws_kernel *kernel)
{
    for (u32 n = 0; n < kernel->op_count; n++)
        if (kernel->ops[n].opcode == WS_OP_bar_arrive)
            return true;
    return false;
}

/* Whether an operand is a constant, and its value. */
static bool is_constant(const struct ws_kernel *kernel, u32 slot, u64 *value)
{
    const struct ws_input *const input =
        slot == WS_SLOT_NONE || slot < kernel->registers ? NULL : &kernel->inputs[slot - kernel->registers];
    if (!input || input->kind != WS_INPUT_constant)
        return false;
    *value = (u32)input->value;
    return true;
}

/* Whether a barrier has a number of threads other than the block's (exact, or rounded up to warps of 32); or any number, where
 * other threads only arrive. A variable number is checked at execution. */
static bool is_partial(const struct ws_plan *plan, const struct ws_op *op, bool arrivals)
{
    const u64 all = plan->block_threads;
    u64 threads;
    if (op->opcode != WS_OP_bar || op->src[1] == WS_SLOT_NONE)
        return false;
    return arrivals || (is_constant(plan->kernel, op->src[1], &threads) && threads != all && threads != (all + 31) / 32 * 32);
}

/* Makes the instruction a barrier for part of the block. False if the trace cannot express its barrier or number of threads. */
static bool name(const struct ws_kernel *kernel, const struct ws_op *op, struct ws_instruction *instruction)
{
    u64 number, threads;
    if (!is_constant(kernel, op->src[0], &number) || !is_constant(kernel, op->src[1], &threads))
        return false;
    if (number >= WS_NAMED_BARRIERS || threads == 0 || threads > UINT16_MAX)
        return false;
    instruction->class_ = WS_CLASS_barrier;
    instruction->flags = op->opcode == WS_OP_bar_arrive ? WS_NAMED | WS_ARRIVES : WS_NAMED;
    instruction->bytes = (u8)number;
    instruction->target = (u16)threads;
    return true;
}

/* Converts all barriers for part of the block, or none if the trace cannot express one of them: the others would wait for it for
 * ever. */
static bool name_all(const struct ws_plan *plan, bool arrivals, struct ws_instruction *program)
{
    const struct ws_kernel *const kernel = plan->kernel;
    bool named = true;
    for (u32 n = 0; n < kernel->op_count && named; n++)
        if (kernel->ops[n].opcode == WS_OP_bar_arrive || is_partial(plan, &kernel->ops[n], arrivals))
            named = name(kernel, &kernel->ops[n], &program[n]);
    return named;
}

/* The others become instructions that do not wait. */
static void pass_all(const struct ws_plan *plan, bool arrivals, struct ws_instruction *program)
{
    const struct ws_kernel *const kernel = plan->kernel;
    memcpy(program, kernel->program, kernel->op_count * sizeof *program);
    for (u32 n = 0; n < kernel->op_count; n++)
        if (is_partial(plan, &kernel->ops[n], arrivals))
            program[n].class_ = WS_CLASS_int;
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
    plan->barriers_pass = !name_all(plan, arrivals, program);
    if (plan->barriers_pass)
        pass_all(plan, arrivals, program);
    *plan->own = *kernel;
    plan->own->program = program;
    plan->kernel = plan->own;
    return WS_STATUS_ok;
}
