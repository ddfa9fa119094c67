/* Thread block compaction (section 4.1). A group is kept like a warp whose threads are those of the whole compaction block. */
#include "oracle/sm.h"

#include <stdlib.h>
#include <string.h>

static u32 warps_of_compaction_block(const struct sm *sm)
{
    return sm->machine->divergence_compaction_block / sm->machine->core_warp_size;
}

static u32 smaller(u32 a, u32 b)
{
    return a < b ? a : b;
}

static void group_enter(struct sm *sm, u32 slot)
{
    struct warp *group = &sm->groups[slot];
    struct entry *stack = group->stack;
    const u32 room = group->stack_room, size = sm->machine->core_warp_size, number = sm->warps[slot].number;
    memset(group, 0, sizeof *group);
    group->stack = stack;
    group->stack_room = room;
    group->resident = true;
    group->number = number;
    group->threads = smaller(warps_of_compaction_block(sm) * size, sm->image->block_threads - number * size);
    group->slots = (group->threads + size - 1) / size;
    for (u32 thread = 0; thread < group->threads; thread++)
        group->active[thread] = true;
}

/* The warp in the slot takes over those threads of its compaction block that are in mask. */
static void take_over(struct sm *sm, u32 slot, const bool *mask)
{
    struct warp *warp = &sm->warps[slot];
    const struct warp *group = &sm->groups[warp->home];
    warp->number = group->number;
    warp->threads = group->threads;
    memcpy(warp->active, mask, sizeof warp->active);
    memset(warp->taken, 0, sizeof warp->taken);
}

void compaction_enter(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    const u32 member = warp->number % warps_of_compaction_block(sm), size = sm->machine->core_warp_size;
    bool mask[MOST_THREADS] = {false};
    warp->home = slot - member;
    if (member == 0)
        group_enter(sm, slot);
    else if (sm->warps[slot - 1].block != warp->block)
        abort(); /* the slots of a compaction block are neighbours */
    for (u32 thread = 0; thread < warp->threads; thread++)
        mask[member * size + thread] = true;
    take_over(sm, slot, mask);
}

bool compaction_meets(const struct sm *sm, const struct warp *warp)
{
    const struct warp *group = &sm->groups[warp->home];
    if (sm->machine->divergence_unit != WS_divergence_tbc || group->depth == 0)
        return false;
    const u32 meeting = group->stack[group->depth - 1].reconverge;
    return meeting != WS_PC_NONE && meeting == warp->pc;
}

void compaction_instruction_done(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    const struct ws_instruction *ins = instruction_of(sm, warp);
    if (ins->class_ == WS_CLASS_branch || ins->class_ == WS_CLASS_exit) {
        warp->waits = WAITS_AT_INSTRUCTION;
        return;
    }
    warp->pc = ins->class_ == WS_CLASS_jump ? ins->target : warp->pc + 1;
    if (ins->class_ == WS_CLASS_barrier) {
        warp->at_barrier = true;
        count(sm, WS_COUNT_barrier_arrivals, 1);
    } else if (compaction_meets(sm, warp)) {
        warp->waits = WAITS_AT_MEETING;
    }
}

void compaction_begin_waiting(struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (sm->warps[slot].waits == WAITS_FROM_NEXT_CYCLE)
            sm->warps[slot].waits = WAITS_AT_MEETING;
}

/* The threads of the warp that a grouping gives to the k-th slot. */
static void members(const struct sm *sm, const struct warp *group, u32 k, bool *mask)
{
    const u32 size = sm->machine->core_warp_size;
    memset(mask, 0, MOST_THREADS * sizeof *mask);
    for (u32 lane = 0; lane < size; lane++) {
        u32 before = 0;
        for (u32 row = 0; row < group->slots; row++) {
            const u32 thread = row * size + lane;
            if (thread >= group->threads || !group->active[thread])
                continue;
            if (group->depth == 0 ? row == k : before == k)
                mask[thread] = true;
            before++;
        }
    }
}

static void form_warps(struct sm *sm, u32 home, u64 fetched)
{
    const struct warp *group = &sm->groups[home];
    bool mask[MOST_THREADS];
    u64 at = sm->now > sm->compactor_free ? sm->now : sm->compactor_free;
    for (u32 k = 0; k < group->slots; k++) {
        struct warp *warp = &sm->warps[home + k];
        members(sm, group, k, mask);
        take_over(sm, home + k, mask);
        warp->waits = WAITS_NOT;
        warp->out = mask_empty(mask, group->threads);
        if (warp->out)
            continue;
        warp->pc = group->pc;
        warp->fetched = fetched;
        warp->enters = ++at;
        count(sm, WS_COUNT_warps_formed, 1);
    }
    sm->compactor_free = at;
    count(sm, WS_COUNT_compactions, 1);
}

static void end(struct sm *sm, u32 home)
{
    struct warp *group = &sm->groups[home];
    group->resident = false;
    for (u32 k = 0; k < group->slots; k++) {
        sm->warps[home + k].number = group->number + k;
        sm->warps[home + k].waits = WAITS_NOT;
        dispatch_warp_ended(sm, home + k);
    }
}

static void go_on(struct sm *sm, u32 home)
{
    const struct warp *group = &sm->groups[home];
    for (u32 k = 0; k < group->slots; k++) {
        sm->warps[home + k].waits = WAITS_NOT;
        sm->warps[home + k].pc = group->pc;
    }
}

static bool all_wait(const struct sm *sm, u32 home)
{
    for (u32 k = 0; k < sm->groups[home].slots; k++) {
        const struct warp *warp = &sm->warps[home + k];
        if (!warp->out && warp->waits != WAITS_AT_INSTRUCTION && warp->waits != WAITS_AT_MEETING)
            return false;
    }
    return true;
}

static void advance(struct sm *sm, u32 home)
{
    struct warp *group = &sm->groups[home];
    const struct warp *one = &sm->warps[home];
    const u64 changes = sm->counters[WS_COUNT_divergent_branches] + sm->counters[WS_COUNT_stack_pops];
    while (one->out)
        one++;
    const u64 fetched = one->fetched;
    group->pc = one->pc;
    for (u32 k = 0; k < group->slots; k++)
        for (u32 thread = 0; thread < group->threads; thread++)
            if (!sm->warps[home + k].out && sm->warps[home + k].active[thread])
                group->taken[thread] = sm->warps[home + k].taken[thread];
    if (one->waits == WAITS_AT_INSTRUCTION)
        group_advance(sm, group, instruction_of(sm, group));
    else
        settle(sm, group);
    if (sm->status != WS_STATUS_running)
        return;
    if (mask_empty(group->active, group->threads))
        end(sm, home);
    else if (sm->counters[WS_COUNT_divergent_branches] + sm->counters[WS_COUNT_stack_pops] != changes)
        form_warps(sm, home, fetched);
    else
        go_on(sm, home);
}

void compaction_advance(struct sm *sm)
{
    for (u32 home = 0; home < MOST_WARPS; home++)
        if (sm->groups[home].resident && all_wait(sm, home))
            advance(sm, home);
}
