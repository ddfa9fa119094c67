#include "oracle/path/stack.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/invariants.h"

void stack_free(struct stack *stack)
{
    for (u32 i = 0; i < stack->room; i++)
        free(stack->entries[i].path.thread);
    free(stack->entries);
}

static void push(struct sm *sm, struct stack *stack, u32 reconverge, u32 execute, const struct path *path)
{
    if (stack->depth == stack->room) {
        const u32 room = stack->room ? 2 * stack->room : 4;
        struct entry *entries = oracle_allocate(room, sizeof *entries);
        if (stack->room)
            memcpy(entries, stack->entries, stack->room * sizeof *entries);
        free(stack->entries);
        stack->entries = entries;
        stack->room = room;
    }
    struct entry *entry = &stack->entries[stack->depth++];
    path_copy(&entry->path, path);
    entry->path.pc = execute;
    entry->reconverge = reconverge;
    count(sm, WS_COUNT_stack_pushes, 1);
    count_most(sm, WS_COUNT_stack_deepest, stack->depth);
    if (stack->depth > sm->machine->divergence_stack_depth)
        sm->status = WS_STATUS_stack_overflow;
}

/* In a large warp or compaction block, several threads share a lane: the highest thread decides. */
static u32 highest_thread(const struct path *path)
{
    return path->thread[path->count - 1]->number;
}

static bool target_runs_first(const struct sm *sm, const struct path *to_target, const struct path *to_next)
{
    if (sm->machine->divergence_first_path == WS_first_path_lane)
        return highest_thread(to_target) < highest_thread(to_next);
    return sm->machine->divergence_first_path == WS_first_path_taken;
}

static void diverge(struct sm *sm, struct stack *stack, struct path *path, u32 reconverge, const struct path *to_target,
                    const struct path *to_next)
{
    const bool merge = sm->machine->divergence_merge == WS_toggle_on;
    const bool target_first = target_runs_first(sm, to_target, to_next);
    const struct path *first = target_first ? to_target : to_next, *other = target_first ? to_next : to_target;
    if (!(merge && stack->depth > 0 && stack->entries[stack->depth - 1].reconverge == reconverge))
        push(sm, stack, reconverge, reconverge, path);
    if (!(merge && other->pc == reconverge))
        push(sm, stack, reconverge, other->pc, other);
    path_copy(path, first);
}

static void branch(struct sm *sm, struct stack *stack, struct path *path, const struct ws_instruction *ins)
{
    struct path to_target = {.pc = ins->target}, to_next = {.pc = path->pc + 1};
    for (u32 i = 0; i < path->count; i++)
        path_add(path->thread[i]->taken ? &to_target : &to_next, path->thread[i]);
    const bool uniform = to_target.count == 0 || to_next.count == 0;
    count(sm, uniform ? WS_COUNT_uniform_branches : WS_COUNT_divergent_branches, 1);
    if (uniform)
        path->pc = to_next.count == 0 ? to_target.pc : to_next.pc;
    else
        diverge(sm, stack, path, ins->reconverge, &to_target, &to_next);
    free(to_target.thread);
    free(to_next.thread);
}

static void keep_rest(struct path *path)
{
    const u32 before = path->count;
    path->count = 0;
    for (u32 k = 0; k < before; k++)
        if (!path->thread[k]->exited)
            path_add(path, path->thread[k]);
}

static void leave(struct stack *stack, struct path *path)
{
    for (u32 i = 0; i < path->count; i++)
        path->thread[i]->exited = path->thread[i]->taken;
    keep_rest(path);
    for (u32 i = 0; i < stack->depth; i++)
        keep_rest(&stack->entries[i].path);
    path->pc++;
}

void stack_execute(struct sm *sm, struct stack *stack, struct path *path, const struct ws_instruction *ins)
{
    switch (ins->class_) {
    case WS_CLASS_branch:
        branch(sm, stack, path, ins);
        break;
    case WS_CLASS_jump:
        path->pc = ins->target;
        break;
    case WS_CLASS_exit:
        leave(stack, path);
        break;
    default:
        path->pc++;
    }
}

bool stack_meets(const struct stack *stack, u32 pc)
{
    return stack->depth > 0 && pc != WS_PC_NONE && stack->entries[stack->depth - 1].reconverge == pc;
}

void stack_settle(struct sm *sm, struct stack *stack, struct path *path)
{
    while (stack->depth > 0 && (path->count == 0 || stack_meets(stack, path->pc))) {
        path_copy(path, &stack->entries[--stack->depth].path);
        count(sm, WS_COUNT_stack_pops, 1);
    }
}

void stack_places(const struct sm *sm, const struct stack *stack)
{
    for (u32 i = stack->depth; i-- > 0;) {
        const struct entry *entry = &stack->entries[i];
        for (u32 k = 0; k < entry->path.count; k++)
            invariants_place(sm, entry->path.thread[k], entry->path.pc, entry->path.pc == entry->reconverge);
    }
}

static u32 first_threads(const struct sm *sm, const struct path *path)
{
    u32 bits = 0;
    for (u32 i = 0; i < path->count; i++) {
        const u32 in_warp = path->thread[i]->number % sm->machine->core_warp_size;
        if (in_warp < 32)
            bits |= 1u << in_warp;
    }
    return bits;
}

void log_state(struct sm *sm, u32 slot, const struct stack *stack)
{
    struct oracle_log *log = sm->log;
    if (!log || !log->want_states)
        return;
    const struct path *path = &sm->warps[slot].path;
    log->states = oracle_grow(log->states, log->state_count, sizeof *log->states);
    struct oracle_state *state = &log->states[log->state_count++];
    memset(state, 0, sizeof *state);
    state->cycle = sm->now;
    state->warp = slot;
    state->pc = path->pc;
    state->mask = first_threads(sm, path);
    state->depth = stack->depth;
    for (u32 i = 0; i < stack->depth && i < ORACLE_LOGGED_ENTRIES; i++)
        state->stack[i] = (struct oracle_entry){.reconverge = stack->entries[i].reconverge,
                                                .execute = stack->entries[i].path.pc,
                                                .mask = first_threads(sm, &stack->entries[i].path)};
}
