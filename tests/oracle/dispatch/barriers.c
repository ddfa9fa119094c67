/* Barriers of a block (step 3 of section 2): warps that have ended count as arrived. */
#include "oracle/sm.h"

static bool all_arrived(const struct sm *sm, u32 block)
{
    if (sm->rules.dispatch->unissued && sm->rules.dispatch->unissued(sm, block) > 0)
        return false;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].state == WARP_RUNS && sm->warps[slot].block == block && !sm->warps[slot].at_barrier)
            return false;
    return true;
}

static bool at_barrier(const struct warp *warp)
{
    return warp->state == WARP_RUNS && warp->at_barrier;
}

void barriers_release(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const u32 block = sm->warps[slot].block;
        if (!at_barrier(&sm->warps[slot]) || !all_arrived(sm, block))
            continue;
        for (u32 other = 0; other < sm->machine->core_warps; other++) {
            if (!at_barrier(&sm->warps[other]) || sm->warps[other].block != block)
                continue;
            sm->warps[other].at_barrier = false;
            if (sm->rules.path->released)
                sm->rules.path->released(sm, other);
        }
        count(sm, WS_COUNT_barrier_releases, 1);
        event_add(sm, BLOCK_RELEASED, 0, block);
    }
}
