/* Blocks enter when all their resources are free, and leave as a whole (dispatch.md; steps of order.md and pipelines.md). */
#include <stdlib.h>

#include "oracle/dispatch/dispatch.h"

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

/* Slots of a block: with slices whole sets, one slot in each. */
static u32 slots_per_block(const struct sm *sm)
{
    const u32 set = is_sliced(sm) ? ports(sm) : 1;
    return (warps_per_block(sm) + set - 1) / set * set;
}

/* Whether this many blocks fit into the SM together. */
static bool fit(const struct sm *sm, u32 blocks)
{
    const struct ws_machine *m = sm->machine;
    const u64 warps = multiple(warps_per_block(sm), m->core_block_warp_unit);
    const u64 registers = blocks * multiple(warps * warp_registers(sm), m->core_block_register_unit);
    return blocks_find_room(sm, blocks) && (u64)blocks * slots_per_block(sm) <= m->core_warps &&
           (u64)blocks * warps_per_block(sm) <= places(sm) && (m->core_registers == 0 || registers <= m->core_registers);
}

static bool possible(const struct sm *sm)
{
    return fit(sm, 1);
}

/* With slices: its set has no warp. */
static bool is_free(const struct sm *sm, u32 slot)
{
    const u32 set = is_sliced(sm) ? ports(sm) : 1, first = slot / set * set;
    for (u32 other = first; other < first + set; other++)
        if (sm->warps[other].state != SLOT_FREE)
            return false;
    return true;
}

/* The lowest free slot; with slices, of the lowest free set. */
static u32 free_slot(const struct sm *sm)
{
    u32 slot = 0;
    while (!is_free(sm, slot))
        slot++;
    return slot;
}

/* Warps of a block that share a set, or a slot. */
static u32 enter_warps(struct sm *sm, u32 block, u32 number, u64 fetched)
{
    const u32 set = is_sliced(sm) ? ports(sm) : 1, first = free_slot(sm);
    u32 entered = 0;
    while (entered < set && number + entered < warps_per_block(sm)) {
        warp_enters(sm, first + entered, block, number + entered, fetched);
        entered++;
    }
    return entered;
}

static void enter(struct sm *sm)
{
    struct blocks *own = sm->dispatch;
    const u64 fetched = fewest_fetched(sm);
    while (own->next < sm->image->blocks && fit(sm, own->resident + 1)) {
        const u32 block = own->next++;
        own->resident++;
        block_enters(sm, block);
        for (u32 number = 0; number < warps_per_block(sm);)
            number += enter_warps(sm, block, number, fetched);
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
    own->resident--;
    block_ends(sm, block);
}

const struct oracle_dispatch oracle_dispatch_block = {.start = start,
                                                      .finish = finish,
                                                      .possible = possible,
                                                      .enter = enter,
                                                      .all_entered = all_entered,
                                                      .warp_ended = warp_ends,
                                                      .warp_retired = warp_retired};
