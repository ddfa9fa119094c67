/* `pdom`: a stack of reconvergence points for every warp (docs/model.md 3; Narasiman 2.3, Fung 3.2). */
#ifndef WS_PATH_PDOM_H
#define WS_PATH_PDOM_H

#include "path/alone.h"

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle);
}

/* The active threads leave the warp; returns whether it has ended. */
static inline u32 pdom_exit(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    stack_leave(sm, lanes, warp);
    return stack_settle(sm, lanes, warp);
}

/* A conditional branch, in all lanes. */
static inline void pdom_branch(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp,
                               PRIVATE const struct ws_instruction *branch, u32 taken)
{
    const u32 mask = slots_pick(&sm->lanes, lanes->mask, warp);
    const u32 parted = taken != 0 && taken != mask;
    count(sm, parted ? WS_COUNT_divergent_branches : WS_COUNT_uniform_branches, 1);
    if (slot_is(warp)) {
        const u32 before = lanes->depth[AT(warp)];
        if (parted)
            stack_part(sm, lanes, warp, branch, taken, taken_runs_first(sm, taken > (mask & ~taken)));
        else
            lanes->pc[AT(warp)] = taken ? branch->target : lanes->pc[AT(warp)] + 1;
        sm->scratch->pushes[warp] += lanes->depth[AT(warp)] - before;
    }
    if (parted) {
        const u32 depth = slots_pick(&sm->lanes, lanes->depth, warp);
        count_most(sm, WS_COUNT_stack_deepest, depth);
        if (depth > sm->machine->divergence_stack_depth)
            sm->status = WS_STATUS_stack_overflow;
    }
    if (slot_is(warp) && sm->status == WS_STATUS_running)
        stack_settle(sm, lanes, warp);
}

static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    const u32 warp = packet->slot, class_ = packet->instruction.class_;
    narrow_take_guards(sm, packet);
    if (class_ == WS_CLASS_branch) {
        narrow_decide(sm, packet, bits);
        pdom_branch(sm, lanes, warp, &packet->instruction, lanes_ballot(&sm->lanes, bits));
        return OUTCOME_NEXT;
    }
    if (class_ == WS_CLASS_exit) {
        PER_SLOT(u32, ends);
        FOR_SLOTS (slot)
            ends[AT(slot)] = 0;
        if (slot_is(warp))
            ends[AT(warp)] = pdom_exit(sm, lanes, warp);
        return slots_pick(&sm->lanes, ends, warp) ? OUTCOME_PATH : OUTCOME_NEXT;
    }
    if (slot_is(warp)) {
        lanes->pc[AT(warp)] = pc_after(&packet->instruction, packet->pc);
        if (packet->access.misses == 0)
            stack_settle(sm, lanes, warp);
    }
    return class_ == WS_CLASS_barrier ? OUTCOME_BARRIER : OUTCOME_NEXT;
}

static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    stack_settle(sm, lanes, slot);
    return OUTCOME_NEXT;
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    path_wake(sm, lanes, slots);
    return slots_none();
}

#endif
