/* Thread block compaction (divergence.md). */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/stack.h"
#include "oracle/path/whole.h"

/* A compaction block, stored at its first slot. */
struct group {
    bool resident;
    u32 slots;
    struct path path; /* threads of the running path; its pc is valid only while all warps wait */
    struct stack stack;
};

enum waits { WAITS_NOT, WAITS_AT_INSTRUCTION, WAITS_AT_MEETING, WAITS_FROM_NEXT_CYCLE };

struct compaction {
    struct group *groups;
    u32 *home;         /* of each slot: the first slot of its compaction block */
    enum waits *waits; /* of each slot */
    u64 compactor_free;
};

static void start(struct sm *sm)
{
    struct compaction *own = oracle_allocate(1, sizeof *own);
    own->groups = oracle_allocate(sm->machine->core_warps, sizeof *own->groups);
    own->home = oracle_allocate(sm->machine->core_warps, sizeof *own->home);
    own->waits = oracle_allocate(sm->machine->core_warps, sizeof *own->waits);
    sm->path = own;
}

static void finish(struct sm *sm)
{
    struct compaction *own = sm->path;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        stack_free(&own->groups[slot].stack);
        free(own->groups[slot].path.thread);
    }
    free(own->groups);
    free(own->home);
    free(own->waits);
    free(own);
}

static void enter(struct sm *sm, u32 slot)
{
    struct compaction *own = sm->path;
    const struct warp *warp = &sm->warps[slot];
    const u32 member = warp->number % (sm->machine->divergence_compaction_block / sm->machine->core_warp_size);
    if (member > 0 && sm->warps[slot - 1].block != warp->block)
        abort(); /* the slots of a compaction block are adjacent */
    struct group *group = &own->groups[slot - member];
    own->home[slot] = slot - member;
    own->waits[slot] = WAITS_NOT;
    if (member == 0) {
        group->resident = true;
        group->slots = 0;
        group->path.count = 0;
    }
    group->slots++;
    for (u32 i = 0; i < warp->path.count; i++) {
        warp->path.thread[i]->row = member;
        warp->path.thread[i]->lane = i;
        path_add(&group->path, warp->path.thread[i]);
    }
}

static bool ready(const struct sm *sm, u32 slot)
{
    const struct compaction *own = sm->path;
    return !sm->warps[slot].begun && own->waits[slot] == WAITS_NOT;
}

static bool at_meeting(const struct sm *sm, u32 slot)
{
    const struct compaction *own = sm->path;
    return stack_meets(&own->groups[own->home[slot]].stack, sm->warps[slot].path.pc);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    struct compaction *own = sm->path;
    struct warp *warp = &sm->warps[packet->slot];
    const struct ws_instruction *ins = packet->ins;
    warp->begun = false;
    if (ins->class_ == WS_CLASS_branch || ins->class_ == WS_CLASS_exit) {
        own->waits[packet->slot] = WAITS_AT_INSTRUCTION;
        return;
    }
    warp->path.pc = ins->class_ == WS_CLASS_jump ? ins->target : warp->path.pc + 1;
    if (ins->class_ == WS_CLASS_barrier)
        warp_arrives(sm, warp);
    else if (at_meeting(sm, packet->slot))
        own->waits[packet->slot] = WAITS_AT_MEETING;
}

static void released(struct sm *sm, u32 slot)
{
    struct compaction *own = sm->path;
    if (at_meeting(sm, slot))
        own->waits[slot] = WAITS_FROM_NEXT_CYCLE;
}

static bool waits(const struct sm *sm, u32 slot)
{
    const struct compaction *own = sm->path;
    return own->waits[slot] == WAITS_AT_INSTRUCTION || own->waits[slot] == WAITS_AT_MEETING;
}

/* Distributes the group's threads to the slots: the k-th thread of each lane to the k-th slot. */
static void regroup(struct sm *sm, u32 home)
{
    struct compaction *own = sm->path;
    const struct group *group = &own->groups[home];
    u32 dealt[WS_LANES] = {0};
    for (u32 k = 0; k < group->slots; k++)
        sm->warps[home + k].path.count = 0;
    for (u32 i = 0; i < group->path.count; i++) {
        struct thread *thread = group->path.thread[i];
        path_add(&sm->warps[home + dealt[thread->lane]++].path, thread);
    }
}

static void form_warps(struct sm *sm, u32 home, u64 fetched)
{
    struct compaction *own = sm->path;
    const struct group *group = &own->groups[home];
    u64 at = sm->now > own->compactor_free ? sm->now : own->compactor_free;
    regroup(sm, home);
    for (u32 k = 0; k < group->slots; k++) {
        struct warp *warp = &sm->warps[home + k];
        own->waits[home + k] = WAITS_NOT;
        warp->state = warp->path.count > 0 ? WARP_RUNS : WITHOUT_WARP;
        if (warp->state == WITHOUT_WARP)
            continue;
        warp->path.pc = group->path.pc;
        warp->fetched = fetched;
        warp->enters = ++at;
        count(sm, WS_COUNT_warps_formed, 1);
    }
    own->compactor_free = at;
    count(sm, WS_COUNT_compactions, 1);
}

static void go_on(struct sm *sm, u32 home)
{
    struct compaction *own = sm->path;
    for (u32 k = 0; k < own->groups[home].slots; k++) {
        own->waits[home + k] = WAITS_NOT;
        sm->warps[home + k].path.pc = own->groups[home].path.pc;
    }
}

static void end(struct sm *sm, u32 home)
{
    struct compaction *own = sm->path;
    own->groups[home].resident = false;
    for (u32 k = 0; k < own->groups[home].slots; k++)
        sm->rules.dispatch->warp_ended(sm, home + k);
}

static bool all_wait(const struct sm *sm, u32 home)
{
    const struct compaction *own = sm->path;
    for (u32 slot = home; slot < home + own->groups[home].slots; slot++)
        if (sm->warps[slot].state == WARP_RUNS && !waits(sm, slot))
            return false;
    return true;
}

static void advance_group(struct sm *sm, u32 home)
{
    struct compaction *own = sm->path;
    struct group *group = &own->groups[home];
    const u64 changes = sm->counters[WS_COUNT_divergent_branches] + sm->counters[WS_COUNT_stack_pops];
    const u32 threads = group->path.count;
    u32 one = home;
    while (sm->warps[one].state != WARP_RUNS)
        one++;
    const u64 fetched = sm->warps[one].fetched;
    group->path.pc = sm->warps[one].path.pc;
    if (own->waits[one] == WAITS_AT_INSTRUCTION)
        stack_execute(sm, &group->stack, &group->path, instruction_of(sm, &sm->warps[one]));
    stack_settle(sm, &group->stack, &group->path);
    if (sm->status != WS_STATUS_running)
        return;
    if (group->path.count == 0)
        end(sm, home);
    else if (sm->counters[WS_COUNT_divergent_branches] + sm->counters[WS_COUNT_stack_pops] != changes ||
             group->path.count != threads)
        form_warps(sm, home, fetched);
    else
        go_on(sm, home);
}

static void advance(struct sm *sm)
{
    struct compaction *own = sm->path;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (own->waits[slot] == WAITS_FROM_NEXT_CYCLE)
            own->waits[slot] = WAITS_AT_MEETING;
    for (u32 home = 0; home < sm->machine->core_warps; home++)
        if (own->groups[home].resident && all_wait(sm, home))
            advance_group(sm, home);
}

static void places(const struct sm *sm, u32 slot)
{
    const struct compaction *own = sm->path;
    const struct warp *warp = &sm->warps[slot];
    const bool under_way = warp->begun || own->waits[slot] == WAITS_AT_INSTRUCTION;
    for (u32 i = 0; i < warp->path.count && warp->state == WARP_RUNS; i++)
        invariants_place(sm, warp->path.thread[i], under_way ? UNDER_WAY : warp->path.pc, false);
    const struct group *group = &own->groups[own->home[slot]];
    if (group->resident && slot == own->home[slot] + group->slots - 1) /* after the warps of all its slots */
        stack_places(sm, &group->stack);
}

const struct oracle_path oracle_path_tbc = {.start = start,
                                            .finish = finish,
                                            .enter = enter,
                                            .ready = ready,
                                            .peek = whole_peek,
                                            .take = whole_take,
                                            .completed = completed,
                                            .places = places,
                                            .home_lanes = true,
                                            .mixes = true,
                                            .advance = advance,
                                            .waits = waits,
                                            .released = released};
