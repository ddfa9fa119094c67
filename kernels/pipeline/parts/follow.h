/* The effect of an issue on its warp, for pipelines with instruction buffers. The pipeline defines, before it includes this,
 *   buffer_moves_on   the instruction buffer of the warp continues behind the instruction at a pc
 *   warp_leaves       the warp has ended */
#ifndef WS_PIPELINE_PARTS_FOLLOW_H
#define WS_PIPELINE_PARTS_FOLLOW_H

#include "pipeline/pipeline.h"

/* Applies the packet's effect on the path in the cycle of issue. */
static inline void follow(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE struct packet *packet)
{
    const u32 slot = packet->slot, outcome = path_follow(sm, lanes, packet);
    if (sm->status != WS_STATUS_running)
        return;
    if (outcome == OUTCOME_BARRIER)
        warp_at_barrier(sm, lanes, slot);
    if (outcome == OUTCOME_PATH)
        path_done(sm, lanes, slots_only(slot));
    sm->barriers_due |= outcome != OUTCOME_NEXT;
    if (slots_has(sm->live, slot))
        buffer_moves_on(sm, lanes, slot, packet->pc);
    else
        warp_leaves(sm, lanes, slot);
}

#endif
