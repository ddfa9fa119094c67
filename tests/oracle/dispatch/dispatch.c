#include "oracle/dispatch/dispatch.h"

u64 multiple(u64 value, u32 unit)
{
    while (value % unit != 0)
        value++;
    return value;
}

u64 warp_registers(const struct sm *sm)
{
    return sm->machine->core_warp_size * multiple(sm->image->registers, sm->machine->core_register_unit);
}

u32 places(const struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    u32 found = 0;
    if (m->core_registers == 0 || sm->image->registers == 0)
        return m->core_warps;
    for (u32 part = 0; part < m->core_register_parts; part++)
        for (u64 left = m->core_registers / m->core_register_parts; left >= warp_registers(sm) && found < m->core_warps; found++)
            left -= warp_registers(sm);
    return found;
}

bool blocks_find_room(const struct sm *sm, u32 blocks)
{
    const struct ws_machine *m = sm->machine;
    const u64 shared = blocks * multiple((u64)sm->image->shared_bytes + m->core_shared_reserved, m->core_shared_unit);
    return blocks <= m->core_blocks && (m->core_shared_bytes == 0 || shared <= m->core_shared_bytes);
}

u64 fewest_fetched(const struct sm *sm)
{
    bool any = false;
    u64 fewest = 0;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const struct warp *warp = &sm->warps[slot];
        if (warp->state != WARP_RUNS || (any && warp->fetched >= fewest))
            continue;
        any = true;
        fewest = warp->fetched;
    }
    return fewest;
}

void warp_enters(struct sm *sm, u32 slot, u32 block, u32 number, u64 fetched)
{
    struct warp *warp = &sm->warps[slot];
    const u32 size = sm->machine->core_warp_size;
    warp->state = WARP_RUNS;
    warp->block = block;
    warp->number = number;
    warp->enters = sm->now == 0 ? 0 : sm->now + 1;
    warp->fetched = fetched;
    warp->begun = warp->at_barrier = warp->let_go = false;
    warp->named = NULL;
    warp->path.pc = warp->path.count = 0;
    for (u32 thread = number * size; thread < (number + 1) * size && thread < sm->image->block_threads; thread++)
        path_add(&warp->path, thread_of(sm, block, thread));
    sm->rules.path->enter(sm, slot);
    sm->warps_entered++;
    life_of(sm, block, number)->entered = sm->now;
    event_add(sm, WARP_ENTERS, slot, block);
}

void block_enters(struct sm *sm, u32 block)
{
    event_add(sm, BLOCK_ENTERS, 0, block);
    if (sm->log)
        sm->log->times[block].entered = sm->now;
}

void warp_ends(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    warp->state = WARP_ENDED;
    count(sm, WS_COUNT_warps_done, 1);
    event_add(sm, WARP_ENDS, slot, warp->block);
    life_of(sm, warp->block, warp->number)->ended = sm->now;
    if (!sm->rules.pipeline->retires)
        sm->rules.dispatch->warp_retired(sm, slot);
}

void dispatch_step(struct sm *sm)
{
    if (sm->now > 0)
        sm->rules.dispatch->enter(sm);
    events_deliver(sm);
    used_in_cycle(sm);
}

void block_ends(struct sm *sm, u32 block)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].state == WARP_RETIRED && sm->warps[slot].block == block)
            sm->warps[slot].state = SLOT_FREE;
    sm->blocks_done++;
    count(sm, WS_COUNT_blocks_done, 1);
    used_by_block(sm, block);
    if (sm->log)
        sm->log->times[block].ended = sm->now;
}
