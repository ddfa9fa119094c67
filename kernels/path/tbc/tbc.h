/* `tbc`: thread block compaction (docs/model/divergence.md; Narasiman 5). The stacks of a compaction block's static warps change
 * together and form its stack: each slot's lane holds the masks of its static warp's threads. */
#ifndef WS_PATH_TBC_TBC_H
#define WS_PATH_TBC_TBC_H

#include "path/tbc/block.h"

static inline void path_enter(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 threads, u32 cycle)
{
    narrow_enter(sm, lanes, warp, threads, cycle);
    sm->compacted = slots_without(sm->compacted, warp);
    if (slot_is(warp)) {
        lanes->threads[AT(warp)] = lanes->mask[AT(warp)];
        lanes->taken[AT(warp)] = 0;
        lanes->block_mates[AT(warp)] = slots_together(sm, warp, lanes->first[AT(warp)]);
    }
}

static inline slot_set path_awaits(PRIVATE const struct sm *sm)
{
    return sm->waiting;
}

static inline slot_set path_resting(PRIVATE const struct sm *sm)
{
    return slots_or(sm->waiting, sm->starting);
}

static inline u32 narrow_mask(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return slots_pick(&sm->lanes, lanes->threads, warp);
}

static inline u32 narrow_lane_mask(PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    return lanes->threads[AT(warp)];
}

static inline u32 narrow_home(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp)
{
    return slots_has(sm->compacted, warp) ? slots_first(slots_pick_set(&sm->lanes, lanes->block_mates, warp)) : warp;
}

static inline void path_moved_on(PRIVATE struct sm *sm, slot_set warps)
{
    sm->starting = slots_minus(sm->starting, warps);
}

static inline void path_threads(PRIVATE const struct sm *sm, PRIVATE struct packet *packet, u32 mask)
{
    const u32 size = MACHINE(sm, core_warp_size);
    threads_of_row(sm, &packet->threads, mask, packet->home * size, packet->first);
    if (!slots_has(sm->compacted, packet->slot))
        return;
    packet->threads.row = 0;
    FOR_LANES (lane) {
        const u32 offset = *row_of_thread(sm, packet->slot, lane) * size;
        packet->threads.slot[OF(lane)] += offset;
        packet->threads.thread[OF(lane)] += offset;
    }
}

static inline u32 path_follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    PER_LANE(u32, bits);
    const u32 warp = packet->slot, class_ = packet->instruction->class_;
    narrow_take_guards(sm, packet);
    sm->starting = slots_without(sm->starting, warp);
    if (class_ == WS_CLASS_branch) {
        narrow_decide(sm, packet, bits);
        tbc_outcomes(sm, lanes, warp, bits);
        return TBC_BRANCH;
    }
    if (class_ == WS_CLASS_exit) {
        FOR_LANES (lane)
            bits[OF(lane)] = packet->lanes >> lane & 1;
        tbc_outcomes(sm, lanes, warp, bits);
        return TBC_EXIT;
    }
    const u32 pc = pc_after(packet->instruction, packet->pc);
    if (slot_is(warp))
        lanes->pc[AT(warp)] = pc;
    if (class_ == WS_CLASS_barrier)
        return OUTCOME_BARRIER;
    return packet->access.misses == 0 && pc == slots_pick(&sm->lanes, lanes->reconverge_pc, warp) ? TBC_RECONVERGES : OUTCOME_NEXT;
}

static inline u32 path_data_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 slot)
{
    return lanes->pc[AT(slot)] == lanes->reconverge_pc[AT(slot)] ? TBC_RECONVERGES : OUTCOME_NEXT;
}

/* The warps wait. A compaction block advances when all its warps wait. */
static inline void path_done(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    sm->waiting = slots_or(sm->waiting, slots);
    while (slots_any(slots)) {
        const u32 warp = slots_first(slots);
        const slot_set mates = slots_pick_set(&sm->lanes, lanes->block_mates, warp);
        if (!slots_any(slots_minus(slots_and(sm->live, mates), sm->waiting)))
            tbc_advance(sm, lanes, warp, mates);
        slots = slots_minus(slots, mates);
    }
}

/* A warp released by a barrier at its reconvergence point waits from the next cycle on. */
static inline slot_set path_released(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, slot_set slots)
{
    PER_SLOT(u32, reconverges);
    if (NONE_IS_SEEN(slots))
        return slots_none();
    FOR_SLOTS (slot) {
        reconverges[AT(slot)] = slots_has(slots, slot) && lanes->pc[AT(slot)] == lanes->reconverge_pc[AT(slot)];
        if (slots_has(slots, slot))
            selectable_from(sm, lanes, slot, reconverges[AT(slot)] ? WS_NEVER : sm->now);
    }
    const slot_set waits = slots_ballot(&sm->lanes, reconverges);
    sm->starting = slots_or(sm->starting, waits);
    return waits;
}

#endif
