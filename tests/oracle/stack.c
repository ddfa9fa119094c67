/* What an instruction does to its warp's program counter, mask and stack (section 3). */
#include "oracle/sm.h"

#include <string.h>

static void push(struct sm *sm, struct warp *warp, u32 reconverge, u32 execute, const bool *mask)
{
    if (warp->depth == warp->stack_room) {
        warp->stack = oracle_grow(warp->stack, warp->stack_room, sizeof *warp->stack);
        warp->stack_room = warp->stack_room ? 2 * warp->stack_room : 1;
    }
    struct entry *entry = &warp->stack[warp->depth++];
    entry->reconverge = reconverge;
    entry->execute = execute;
    memcpy(entry->mask, mask, sizeof entry->mask);
    count(sm, WS_COUNT_stack_pushes, 1);
    count_most(sm, WS_COUNT_stack_deepest, warp->depth);
    if (warp->depth > sm->machine->divergence_stack_depth)
        sm->status = WS_STATUS_stack_overflow;
}

static void part(struct sm *sm, struct warp *warp, const struct ws_instruction *ins, const bool *to_target, const bool *to_next)
{
    const bool merge = sm->machine->divergence_merge == WS_toggle_on;
    const bool target_first = sm->machine->divergence_first_path == WS_first_path_taken;
    const u32 reconverge = ins->reconverge;
    const u32 first = target_first ? ins->target : warp->pc + 1;
    const u32 other = target_first ? warp->pc + 1 : ins->target;
    if (!(merge && warp->depth > 0 && warp->stack[warp->depth - 1].reconverge == reconverge))
        push(sm, warp, reconverge, reconverge, warp->active);
    if (!(merge && other == reconverge))
        push(sm, warp, reconverge, other, target_first ? to_next : to_target);
    memcpy(warp->active, target_first ? to_target : to_next, sizeof warp->active);
    warp->pc = first;
}

static void branch(struct sm *sm, struct warp *warp, const struct ws_instruction *ins)
{
    bool to_target[MOST_THREADS] = {false}, to_next[MOST_THREADS] = {false};
    for (u32 thread = 0; thread < warp->threads; thread++) {
        to_target[thread] = warp->active[thread] && warp->taken[thread];
        to_next[thread] = warp->active[thread] && !warp->taken[thread];
    }
    const bool all_next = mask_empty(to_target, warp->threads), all_target = mask_empty(to_next, warp->threads);
    count(sm, all_next || all_target ? WS_COUNT_uniform_branches : WS_COUNT_divergent_branches, 1);
    if (all_next)
        warp->pc++;
    else if (all_target)
        warp->pc = ins->target;
    else
        part(sm, warp, ins, to_target, to_next);
}

static void leave(struct warp *warp)
{
    for (u32 thread = 0; thread < warp->threads; thread++) {
        if (!warp->active[thread])
            continue;
        warp->active[thread] = false;
        for (u32 i = 0; i < warp->depth; i++)
            warp->stack[i].mask[thread] = false;
    }
}

void settle(struct sm *sm, struct warp *warp)
{
    while (warp->depth > 0) {
        const struct entry *top = &warp->stack[warp->depth - 1];
        const bool reconverges = top->reconverge != WS_PC_NONE && top->reconverge == warp->pc;
        if (!mask_empty(warp->active, warp->threads) && !reconverges)
            return;
        warp->pc = top->execute;
        memcpy(warp->active, top->mask, sizeof warp->active);
        warp->depth--;
        count(sm, WS_COUNT_stack_pops, 1);
    }
}

void group_advance(struct sm *sm, struct warp *warp, const struct ws_instruction *ins)
{
    switch (ins->class_) {
    case WS_CLASS_branch:
        branch(sm, warp, ins);
        break;
    case WS_CLASS_jump:
        warp->pc = ins->target;
        break;
    case WS_CLASS_exit:
        leave(warp);
        break;
    default:
        warp->pc++;
    }
    settle(sm, warp);
}

void warp_advance(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    const struct ws_instruction *ins = instruction_of(sm, warp);
    warp->begun = false;
    if (sm->machine->divergence_unit == WS_divergence_tbc) {
        compaction_instruction_done(sm, slot);
        return;
    }
    group_advance(sm, warp, ins);
    log_state(sm, slot);
    if (ins->class_ == WS_CLASS_barrier) {
        warp->at_barrier = true;
        count(sm, WS_COUNT_barrier_arrivals, 1);
    }
    if (mask_empty(warp->active, warp->threads))
        dispatch_warp_ended(sm, slot);
}
