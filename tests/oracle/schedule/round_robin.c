#include "oracle/schedule/round_robin.h"

u32 round_robin_next(u32 place, u32 first, u32 slots)
{
    return first + (place - first + 1) % slots;
}

u32 round_robin_choose(const struct sm *sm, u32 port, const bool *ready, u32 first, u32 slots, u32 pointer)
{
    u32 chosen = NO_WARP, place = pointer;
    for (u32 i = 0; i < slots; i++, place = round_robin_next(place, first, slots)) {
        const u32 slot = port_slot(sm, port, place);
        if (!ready[slot])
            continue;
        if (chosen == NO_WARP)
            chosen = slot;
        else if (sm->machine->schedule_round_robin == WS_round_robin_fewest && sm->warps[slot].fetched < sm->warps[chosen].fetched)
            chosen = slot;
    }
    return chosen;
}

u32 first_ready(const struct sm *sm, u32 port, const bool *ready, u32 place)
{
    const u32 slots = port_slots(sm, port);
    for (u32 i = 0; i < slots; i++, place = round_robin_next(place, 0, slots))
        if (ready[port_slot(sm, port, place)])
            return port_slot(sm, port, place);
    return NO_WARP;
}

bool goes_on(const struct sm *sm, u32 slot)
{
    return sm->warps[slot].state == WARP_RUNS && !sm->rules.pipeline->awaits(sm, slot);
}
