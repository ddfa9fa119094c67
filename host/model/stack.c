#include "model/stack.h"

static bool push(struct ws_stack *stack, u32 reconverge, u32 pc, u32 mask)
{
    if (stack->depth == WS_STACK_MOST)
        return false;
    stack->entries[stack->depth++] = (struct ws_stack_entry){.reconverge = reconverge, .pc = pc, .mask = mask};
    stack->pushed++;
    return true;
}

bool ws_taken_runs_first(u32 first_path, u32 mask, u32 taken)
{
    const u32 highest = 31 - ws_clz(mask);
    return first_path == WS_first_path_lane ? !(taken >> highest & 1) : first_path == WS_first_path_taken;
}

static bool branch(struct ws_stack *stack, const struct ws_instruction *instruction, u32 taken)
{
    const u32 reconverge = instruction->reconverge, next = stack->pc + 1, others = stack->mask & ~taken;
    if (!taken || !others) {
        stack->pc = taken ? instruction->target : next;
        return true;
    }
    const bool target_first = ws_taken_runs_first(stack->first_path, stack->mask, taken);
    const u32 other_pc = target_first ? next : instruction->target;
    const bool merges = stack->depth && stack->entries[stack->depth - 1].reconverge == reconverge;
    if (!merges && !push(stack, reconverge, reconverge, stack->mask))
        return false;
    if (other_pc != reconverge && !push(stack, reconverge, other_pc, target_first ? others : taken))
        return false;
    stack->pc = target_first ? instruction->target : next;
    stack->mask = target_first ? taken : others;
    stack->diverged = true;
    return true;
}

static void leave(struct ws_stack *stack, u32 mask)
{
    for (u32 n = 0; n < stack->depth; n++)
        stack->entries[n].mask &= ~mask;
    stack->mask &= ~mask;
    stack->pc++;
}

static void settle(struct ws_stack *stack)
{
    while (stack->depth && (!stack->mask || stack->pc == stack->entries[stack->depth - 1].reconverge)) {
        const struct ws_stack_entry *const top = &stack->entries[--stack->depth];
        stack->pc = top->pc;
        stack->mask = top->mask;
        stack->popped++;
    }
}

bool ws_stack_advance(struct ws_stack *stack, const struct ws_instruction *instruction, u32 taken)
{
    bool fits = true;
    stack->pushed = stack->popped = 0;
    if (instruction->class_ == WS_CLASS_branch)
        fits = branch(stack, instruction, taken);
    else if (instruction->class_ == WS_CLASS_exit)
        leave(stack, instruction->flags & WS_GUARDED ? taken : stack->mask);
    else
        stack->pc = instruction->class_ == WS_CLASS_jump ? instruction->target : stack->pc + 1;
    settle(stack);
    return fits;
}
