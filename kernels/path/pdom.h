/* `pdom`: a stack of reconvergence points for every warp (docs/model/divergence.md; Narasiman 2.3, Fung 3.2). */
#ifndef WS_PATH_PDOM_H
#define WS_PATH_PDOM_H

#include "path/narrow_alone.h"
#include "path/stacked.h"

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle);
}

static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    const u32 warp = packet->slot, class_ = packet->instruction->class_;
    narrow_take_guards(sm, packet);
    if (class_ == WS_CLASS_branch) {
        narrow_decide(sm, packet, bits);
        stacked_branch(sm, lanes, warp, packet->instruction, lanes_ballot(&sm->lanes, bits));
        return OUTCOME_NEXT;
    }
    if (class_ == WS_CLASS_exit) {
        PER_SLOT(u32, ends);
        FOR_SLOTS (slot)
            ends[AT(slot)] = 0;
        if (slot_is(warp))
            ends[AT(warp)] = stacked_exit(sm, lanes, warp, packet->lanes);
        return slots_pick(&sm->lanes, ends, warp) ? OUTCOME_PATH : OUTCOME_NEXT;
    }
    if (slot_is(warp)) {
        lanes->pc[AT(warp)] = pc_after(packet->instruction, packet->pc);
        if (packet->access.misses == 0)
            stack_settle(sm, lanes, warp);
    }
    if (class_ != WS_CLASS_barrier)
        return OUTCOME_NEXT;
    named_begins(sm, packet->instruction, warp);
    return OUTCOME_BARRIER;
}

static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    path_wake(sm, lanes, slots);
    return slots_none();
}

#endif
