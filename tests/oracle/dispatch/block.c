/* Thread blocks enter when all they need is free, and leave as a whole (section 8; step 4 of section 2, steps 3 and 5 of section
 * 10). */
#include <stdlib.h>

#include "oracle/sm.h"

struct blocks {
    u32 next, resident;
};

static void start(struct sm *sm)
{
    sm->dispatch = oracle_allocate(1, sizeof(struct blocks));
}

static void finish(struct sm *sm)
{
    free(sm->dispatch);
}

/* Whether so many blocks fit into the SM together. */
static bool fit(const struct sm *sm, u32 blocks)
{
    const struct ws_machine *m = sm->machine;
    const u64 registers = (u64)blocks * sm->image->block_threads * sm->image->registers;
    const u64 shared = (u64)blocks * sm->image->shared_bytes;
    return blocks <= m->core_blocks && (u64)blocks * warps_per_block(sm) <= m->core_warps &&
           (m->core_registers == 0 || registers <= m->core_registers) &&
           (m->core_shared_bytes == 0 || shared <= m->core_shared_bytes);
}

static bool possible(const struct sm *sm)
{
    return fit(sm, 1);
}

static u64 fewest_fetched(const struct sm *sm)
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

static void enter_warp(struct sm *sm, u32 slot, u32 block, u32 number, u64 fetched)
{
    struct warp *warp = &sm->warps[slot];
    const u32 size = sm->machine->core_warp_size;
    warp->state = WARP_RUNS;
    warp->block = block;
    warp->number = number;
    warp->enters = sm->now == 0 ? 0 : sm->now + 1;
    warp->fetched = fetched;
    warp->begun = warp->at_barrier = false;
    warp->path.pc = warp->path.count = 0;
    for (u32 thread = number * size; thread < (number + 1) * size && thread < sm->image->block_threads; thread++)
        path_add(&warp->path, thread_of(sm, block, thread));
    sm->rules.path->enter(sm, slot);
}

static void enter(struct sm *sm)
{
    struct blocks *own = sm->dispatch;
    const u64 fetched = fewest_fetched(sm);
    while (own->next < sm->image->blocks && fit(sm, own->resident + 1)) {
        const u32 block = own->next++;
        own->resident++;
        for (u32 number = 0, slot = 0; number < warps_per_block(sm); slot++)
            if (sm->warps[slot].state == SLOT_FREE)
                enter_warp(sm, slot, block, number++, fetched);
        event_add(sm, BLOCK_ENTERS, 0, block);
        if (sm->log)
            log_times(sm, block)[0] = sm->now;
    }
}

static bool all_entered(const struct sm *sm)
{
    const struct blocks *own = sm->dispatch;
    return own->next == sm->image->blocks;
}

static bool all_retired(const struct sm *sm, u32 block)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (sm->warps[slot].block == block && sm->warps[slot].state != SLOT_FREE && sm->warps[slot].state != WARP_RETIRED)
            return false;
    return true;
}

static void warp_retired(struct sm *sm, u32 slot)
{
    struct blocks *own = sm->dispatch;
    const u32 block = sm->warps[slot].block;
    sm->warps[slot].state = WARP_RETIRED;
    if (!all_retired(sm, block))
        return;
    for (u32 other = 0; other < sm->machine->core_warps; other++)
        if (sm->warps[other].block == block)
            sm->warps[other].state = SLOT_FREE;
    own->resident--;
    sm->blocks_done++;
    count(sm, WS_COUNT_blocks_done, 1);
    if (sm->log)
        log_times(sm, block)[1] = sm->now;
}

static void warp_ended(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    warp->state = WARP_ENDED;
    count(sm, WS_COUNT_warps_done, 1);
    event_add(sm, WARP_ENDS, slot, warp->block);
    if (sm->log)
        log_times(sm, warp->block)[2 + warp->number] = sm->now;
    if (!sm->rules.pipeline->retires)
        warp_retired(sm, slot);
}

const struct oracle_dispatch oracle_dispatch_block = {.start = start,
                                                      .finish = finish,
                                                      .possible = possible,
                                                      .enter = enter,
                                                      .all_entered = all_entered,
                                                      .warp_ended = warp_ended,
                                                      .warp_retired = warp_retired};
