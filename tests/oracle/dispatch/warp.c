/* Warps enter when there is a place for them; a block may enter in part (dispatch.md). */
#include <stdlib.h>

#include "oracle/dispatch/dispatch.h"
#include "oracle/invariants.h"

struct warps {
    u32 next, resident; /* blocks */
    u32 *retired;       /* of each block of the image: number of its warps that have */
    bool valid;         /* the buffer holds warps: */
    u32 block, first;   /* those of this block, from that number on */
};

/* Places that may be in use after a whole block, or a warp of a partial one, has entered. */
struct limits {
    u32 whole, single;
};

static void start(struct sm *sm)
{
    struct warps *own = oracle_allocate(1, sizeof *own);
    own->retired = oracle_allocate(sm->image->blocks, sizeof *own->retired);
    sm->dispatch = own;
}

static void finish(struct sm *sm)
{
    struct warps *own = sm->dispatch;
    free(own->retired);
    free(own);
}

/* ---- Places ---- */

static u32 least(u64 one, u64 other)
{
    return (u32)(one < other ? one : other);
}

static u32 places_in_use(const struct sm *sm)
{
    u32 taken = 0;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        taken += sm->warps[slot].state != SLOT_FREE;
    return taken;
}

/* Number of blocks that an empty SM holds. */
static u32 places_of_whole_blocks(const struct sm *sm)
{
    u32 blocks = 0;
    while (blocks_find_room(sm, blocks + 1) && (blocks + 1) * warps_per_block(sm) <= places(sm))
        blocks++;
    return blocks * warps_per_block(sm);
}

static bool is_spatial(const struct sm *sm)
{
    if (sm->machine->dispatch_spatial == WS_spatial_dueling)
        return !sm->dueling || dueling_is_on(sm->dueling, sm->now / sm->machine->dispatch_window);
    return sm->machine->dispatch_spatial == WS_spatial_on;
}

static struct limits limits_now(const struct sm *sm)
{
    const u32 threshold = sm->machine->dispatch_threshold, whole = places_of_whole_blocks(sm);
    const u32 all = is_spatial(sm) ? places(sm) : whole;
    if (threshold == 0)
        return (struct limits){all, all};
    if (sm->machine->dispatch_stops == WS_stops_all)
        return (struct limits){all, least(all, threshold)};
    const u32 grown = least(all, threshold > whole ? threshold : whole);
    return (struct limits){grown, grown};
}

static bool possible(const struct sm *sm)
{
    const struct ws_machine *m = sm->machine;
    const bool starves =
        m->dispatch_stops == WS_stops_all && m->dispatch_threshold > 0 && m->dispatch_threshold < warps_per_block(sm);
    return blocks_find_room(sm, 1) && warps_per_block(sm) <= places(sm) && !starves;
}

/* ---- Slots ---- */

static u32 taken_of_port(const struct sm *sm, u32 port)
{
    u32 taken = 0;
    for (u32 n = 0; n < port_slots(sm, port); n++)
        taken += sm->warps[port_slot(sm, port, n)].state != SLOT_FREE;
    return taken;
}

static u32 lowest_free(const struct sm *sm)
{
    u32 slot = 0;
    while (sm->warps[slot].state != SLOT_FREE)
        slot++;
    return slot;
}

static u32 free_slot(const struct sm *sm)
{
    u32 best = NO_WARP;
    if (sm->machine->dispatch_slot == WS_dispatch_slot_lowest)
        return lowest_free(sm);
    for (u32 port = 0; port < ports(sm); port++)
        if (taken_of_port(sm, port) < port_slots(sm, port) &&
            (best == NO_WARP || taken_of_port(sm, port) < taken_of_port(sm, best)))
            best = port;
    u32 n = 0;
    while (sm->warps[port_slot(sm, best, n)].state != SLOT_FREE)
        n++;
    return port_slot(sm, best, n);
}

/* ---- The dispatch step ---- */

static void enter_warps(struct sm *sm, u32 block, u32 first, u32 count, u64 fetched)
{
    for (u32 number = first; number < first + count; number++)
        warp_enters(sm, free_slot(sm), block, number, fetched);
}

static void empty_buffer(struct sm *sm, const struct limits *limits, u64 fetched)
{
    struct warps *own = sm->dispatch;
    const u32 rate = sm->machine->dispatch_warps;
    for (u32 entered = 0; own->valid && places_in_use(sm) < limits->single && (rate == 0 || entered < rate); entered++) {
        enter_warps(sm, own->block, own->first++, 1, fetched);
        own->valid = own->first < warps_per_block(sm);
    }
}

/* Number of warps of the next block that enter now. */
static u32 warps_that_enter(const struct sm *sm, const struct limits *limits)
{
    const struct warps *own = sm->dispatch;
    const u32 taken = places_in_use(sm), block = warps_per_block(sm);
    if (own->valid || own->next == sm->image->blocks || !blocks_find_room(sm, own->resident + 1))
        return 0;
    if (taken + block <= limits->whole)
        return block;
    const u32 some = limits->single > taken ? limits->single - taken : 0;
    return sm->machine->dispatch_partial == WS_toggle_on && some >= sm->machine->dispatch_least ? some : 0;
}

static void enter(struct sm *sm)
{
    struct warps *own = sm->dispatch;
    const u64 fetched = fewest_fetched(sm);
    const struct limits limits = limits_now(sm);
    const u32 rate = sm->machine->dispatch_blocks;
    empty_buffer(sm, &limits, fetched);
    for (u32 entered = 0; rate == 0 || entered < rate; entered++) {
        const u32 warps = warps_that_enter(sm, &limits);
        if (warps == 0)
            return;
        own->block = own->next++;
        own->first = warps;
        own->valid = warps < warps_per_block(sm);
        own->resident++;
        count(sm, WS_COUNT_partial_blocks, own->valid);
        block_enters(sm, own->block);
        enter_warps(sm, own->block, 0, warps, fetched);
    }
}

static bool all_entered(const struct sm *sm)
{
    const struct warps *own = sm->dispatch;
    return own->next == sm->image->blocks;
}

static u32 unissued(const struct sm *sm, u32 block)
{
    const struct warps *own = sm->dispatch;
    return own->valid && own->block == block ? warps_per_block(sm) - own->first : 0;
}

static void warp_retired(struct sm *sm, u32 slot)
{
    struct warps *own = sm->dispatch;
    const u32 block = sm->warps[slot].block;
    sm->warps[slot].state = sm->machine->dispatch_release == WS_release_warp ? SLOT_FREE : WARP_RETIRED;
    if (++own->retired[block] < warps_per_block(sm))
        return;
    own->resident--;
    block_ends(sm, block);
}

/* ---- Invariants ---- */

/* At most those of the SM; a block occupies slots for warps that have entered and not returned them. */
static void check(struct sm *sm)
{
    const struct warps *own = sm->dispatch;
    u32 partial = 0, in_slots = 0, blocks = 0;
    if (places_in_use(sm) > places(sm))
        invariants_violation(sm, NULL, "%u of %u places are in use", places_in_use(sm), places(sm));
    if (!blocks_find_room(sm, own->resident))
        invariants_violation(sm, NULL, "%u blocks are resident", own->resident);
    for (u32 block = 0; block < own->next; block++) {
        const bool here = own->retired[block] < warps_per_block(sm);
        partial += unissued(sm, block) > 0;
        blocks += here;
        in_slots += here ? warps_per_block(sm) - unissued(sm, block) : 0;
        in_slots -= here && sm->machine->dispatch_release == WS_release_warp ? own->retired[block] : 0;
    }
    if (partial > 1 || blocks != own->resident || in_slots != places_in_use(sm))
        invariants_violation(sm, NULL, "%u blocks (%u partial) have %u warps in slots, not %u and %u", blocks, partial, in_slots,
                             own->resident, places_in_use(sm));
}

static void check_end(struct sm *sm)
{
    const struct warps *own = sm->dispatch;
    if (own->resident > 0 || own->valid)
        invariants_violation(sm, NULL, "%u blocks are there at the end", own->resident);
}

const struct oracle_dispatch oracle_dispatch_warp = {.start = start,
                                                     .finish = finish,
                                                     .possible = possible,
                                                     .enter = enter,
                                                     .all_entered = all_entered,
                                                     .warp_ended = warp_ends,
                                                     .warp_retired = warp_retired,
                                                     .unissued = unissued,
                                                     .check = check,
                                                     .check_end = check_end};
