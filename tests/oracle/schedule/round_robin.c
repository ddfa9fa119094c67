#include "oracle/schedule/round_robin.h"

u32 round_robin_next(u32 slot, u32 first, u32 slots)
{
    return first + (slot - first + 1) % slots;
}

u32 round_robin_choose(const struct sm *sm, const bool *ready, u32 first, u32 slots, u32 pointer)
{
    u32 chosen = NO_WARP, slot = pointer;
    for (u32 i = 0; i < slots; i++, slot = round_robin_next(slot, first, slots)) {
        if (!ready[slot])
            continue;
        if (chosen == NO_WARP)
            chosen = slot;
        else if (sm->machine->schedule_round_robin == WS_round_robin_fewest && sm->warps[slot].fetched < sm->warps[chosen].fetched)
            chosen = slot;
    }
    return chosen;
}

bool goes_on(const struct sm *sm, u32 slot)
{
    return sm->warps[slot].state == WARP_RUNS && !sm->rules.pipeline->awaits(sm, slot);
}
