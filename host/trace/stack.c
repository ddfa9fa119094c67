#include "trace/stack.h"

static bool push(struct wst_stack *stack, u32 reconverge, u32 pc, u32 mask)
{
    if (stack->depth == WST_STACK_MOST)
        return false;
    stack->entries[stack->depth++] = (struct wst_entry){.reconverge = reconverge, .pc = pc, .mask = mask};
    return true;
}

static bool branch(struct wst_stack *stack, const struct ws_instruction *instruction, u32 taken)
{
    const u32 reconverge = instruction->reconverge, next = stack->pc + 1, others = stack->mask & ~taken;
    if (!taken || !others) {
        stack->pc = taken ? instruction->target : next;
        return true;
    }
    const bool merges = stack->depth && stack->entries[stack->depth - 1].reconverge == reconverge;
    if (!merges && !push(stack, reconverge, reconverge, stack->mask))
        return false;
    if (next != reconverge && !push(stack, reconverge, next, others))
        return false;
    stack->pc = instruction->target;
    stack->mask = taken;
    return true;
}

static void leave(struct wst_stack *stack)
{
    for (u32 n = 0; n < stack->depth; n++)
        stack->entries[n].mask &= ~stack->mask;
    stack->mask = 0;
}

static void settle(struct wst_stack *stack)
{
    while (stack->depth && (!stack->mask || stack->pc == stack->entries[stack->depth - 1].reconverge)) {
        const struct wst_entry *const top = &stack->entries[--stack->depth];
        stack->pc = top->pc;
        stack->mask = top->mask;
    }
}

bool wst_stack_advance(struct wst_stack *stack, const struct ws_instruction *instruction, u32 taken)
{
    bool fits = true;
    if (instruction->class_ == WS_CLASS_branch)
        fits = branch(stack, instruction, taken);
    else if (instruction->class_ == WS_CLASS_exit)
        leave(stack);
    else
        stack->pc = instruction->class_ == WS_CLASS_jump ? instruction->target : stack->pc + 1;
    settle(stack);
    return fits;
}
