/* Thread blocks: entering, barriers, leaving (section 8; steps 3 and 4 of section 2). */
#include "oracle/sm.h"

#include <string.h>

static u32 warps_per_block(const struct sm *sm)
{
    return (sm->image->block_threads + sm->machine->core_warp_size - 1) / sm->machine->core_warp_size;
}

/* Whether so many blocks fit into the SM together. */
static bool blocks_fit(const struct sm *sm, u32 blocks)
{
    const struct ws_machine *m = sm->machine;
    const u64 registers = (u64)blocks * sm->image->block_threads * sm->image->registers;
    const u64 shared = (u64)blocks * sm->image->shared_bytes;
    return blocks <= m->core_blocks && (u64)blocks * warps_per_block(sm) <= m->core_warps &&
           (m->core_registers == 0 || registers <= m->core_registers) &&
           (m->core_shared_bytes == 0 || shared <= m->core_shared_bytes);
}

bool dispatch_possible(const struct sm *sm)
{
    return blocks_fit(sm, 1);
}

static u64 fewest_fetched(const struct sm *sm)
{
    bool any = false;
    u64 fewest = 0;
    for (u32 slot = 0; slot < MOST_WARPS; slot++) {
        const struct warp *warp = &sm->warps[slot];
        if (!warp->resident || warp->ended || warp->out || (any && warp->fetched >= fewest))
            continue;
        any = true;
        fewest = warp->fetched;
    }
    return fewest;
}

static u64 *times_of(const struct sm *sm, u32 block)
{
    return &sm->log->times[(size_t)block * (2 + warps_per_block(sm))];
}

static void enter(struct sm *sm, u32 slot, u32 block, u32 number, u64 fetched)
{
    struct warp *warp = &sm->warps[slot];
    struct entry *stack = warp->stack;
    const u32 room = warp->stack_room, size = sm->machine->core_warp_size;
    const u32 rest = sm->image->block_threads - number * size;
    memset(warp, 0, sizeof *warp);
    warp->stack = stack;
    warp->stack_room = room;
    warp->resident = true;
    warp->block = block;
    warp->number = number;
    warp->threads = rest < size ? rest : size;
    warp->enters = sm->now == 0 ? 0 : sm->now + 1;
    warp->fetched = fetched;
    for (u32 thread = 0; thread < warp->threads; thread++)
        warp->active[thread] = true;
    if (sm->machine->divergence_unit == WS_divergence_tbc)
        compaction_enter(sm, slot);
}

void dispatch_blocks(struct sm *sm)
{
    const u64 fetched = fewest_fetched(sm);
    while (sm->next_block < sm->image->blocks && blocks_fit(sm, sm->resident_blocks + 1)) {
        const u32 block = sm->next_block++;
        sm->resident_blocks++;
        for (u32 number = 0, slot = 0; number < warps_per_block(sm); slot++)
            if (!sm->warps[slot].resident)
                enter(sm, slot, block, number++, fetched);
        if (sm->log)
            times_of(sm, block)[0] = sm->now;
    }
}

static bool block_ended(const struct sm *sm, u32 block)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++)
        if (sm->warps[slot].resident && sm->warps[slot].block == block && !sm->warps[slot].ended)
            return false;
    return true;
}

void dispatch_warp_ended(struct sm *sm, u32 slot)
{
    struct warp *warp = &sm->warps[slot];
    const u32 block = warp->block;
    warp->ended = true;
    count(sm, WS_COUNT_warps_done, 1);
    if (sm->log)
        times_of(sm, block)[2 + warp->number] = sm->now;
    if (!block_ended(sm, block))
        return;
    for (u32 other = 0; other < MOST_WARPS; other++)
        if (sm->warps[other].block == block)
            sm->warps[other].resident = false;
    sm->resident_blocks--;
    sm->blocks_done++;
    count(sm, WS_COUNT_blocks_done, 1);
    if (sm->log)
        times_of(sm, block)[1] = sm->now;
}

static bool all_arrived(const struct sm *sm, u32 block)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++) {
        const struct warp *warp = &sm->warps[slot];
        if (warp->resident && warp->block == block && !warp->ended && !warp->out && !warp->at_barrier)
            return false;
    }
    return true;
}

void barriers_release(struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++) {
        const u32 block = sm->warps[slot].block;
        if (!sm->warps[slot].resident || !sm->warps[slot].at_barrier || !all_arrived(sm, block))
            continue;
        for (u32 other = 0; other < MOST_WARPS; other++)
            if (sm->warps[other].resident && sm->warps[other].block == block && sm->warps[other].at_barrier) {
                sm->warps[other].at_barrier = false;
                if (compaction_meets(sm, &sm->warps[other]))
                    sm->warps[other].waits = WAITS_FROM_NEXT_CYCLE;
            }
        count(sm, WS_COUNT_barrier_releases, 1);
    }
}
