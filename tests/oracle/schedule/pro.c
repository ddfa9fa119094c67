/* Progress-aware scheduling (schedulers.md). */
#include <stdlib.h>

#include "oracle/sm.h"

/* In order of priority; a phase has only one of the last two. */
enum block_state { FINISH_WAIT, BARRIER_WAIT, NO_WAIT, FINISH_NO_WAIT };

struct pro_block {
    enum block_state state;
    u32 ended, waiting; /* warps */
    u64 progress;
    u64 sorted;             /* its progress at the last sort */
    u64 at_end, at_arrival; /* its progress at the last end or arrival of any block's warp */
    bool warps_least_first; /* by the last ordering of its warps */
};

struct pro_warp {
    u64 progress;
    u64 ordered; /* its progress at the last ordering of its block's warps */
};

struct pro {
    bool slow;                /* phase */
    bool least_first;         /* by the last sort */
    struct pro_block *blocks; /* of the image */
    struct pro_warp *warps;   /* of each slot */
};

static void start(struct sm *sm)
{
    struct pro *own = oracle_allocate(1, sizeof *own);
    own->blocks = oracle_allocate(sm->image->blocks, sizeof *own->blocks);
    own->warps = oracle_allocate(sm->machine->core_warps, sizeof *own->warps);
    sm->policy = own;
}

static void finish(struct sm *sm)
{
    struct pro *own = sm->policy;
    free(own->blocks);
    free(own->warps);
    free(own);
}

/* ---- Progress ---- */

static void add_progress(struct sm *sm, u32 slot, u64 by)
{
    struct pro *own = sm->policy;
    own->warps[slot].progress += by;
    own->blocks[sm->warps[slot].block].progress += by;
}

static void executed(struct sm *sm, u32 slot, u32 threads)
{
    if (sm->machine->pro_progress == WS_pro_progress_threads)
        add_progress(sm, slot, threads);
}

static void issued(struct sm *sm, const struct packet *packet)
{
    if (sm->machine->pro_progress == WS_pro_progress_executed)
        add_progress(sm, packet->slot, packet->threads);
    else if (sm->machine->pro_progress == WS_pro_progress_warps)
        add_progress(sm, packet->slot, 1);
}

/* ---- The order of the warps inside their block ---- */

static bool is_of(const struct sm *sm, u32 slot, u32 block)
{
    return sm->warps[slot].state != SLOT_FREE && sm->warps[slot].block == block;
}

static void order_warps(struct sm *sm, u32 block, bool least_first)
{
    struct pro *own = sm->policy;
    own->blocks[block].warps_least_first = least_first;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        if (is_of(sm, slot, block))
            own->warps[slot].ordered = own->warps[slot].progress;
}

/* ---- States ---- */

static void come_into(struct sm *sm, u32 block, enum block_state state)
{
    struct pro *own = sm->policy;
    if (own->blocks[block].state == state)
        return;
    own->blocks[block].state = state;
    if (state == FINISH_WAIT || state == BARRIER_WAIT)
        order_warps(sm, block, true);
}

static enum block_state without_wait(const struct sm *sm)
{
    const struct pro *own = sm->policy;
    return own->slow ? FINISH_NO_WAIT : NO_WAIT;
}

static enum block_state state_by_counts(const struct sm *sm, u32 block)
{
    const struct pro *own = sm->policy;
    if (!own->slow && own->blocks[block].ended > 0 && sm->machine->pro_finish == WS_toggle_on)
        return FINISH_WAIT;
    if (own->blocks[block].waiting > 0 && sm->machine->pro_barrier == WS_toggle_on)
        return BARRIER_WAIT;
    return without_wait(sm);
}

static bool by_counts(const struct sm *sm)
{
    return sm->machine->pro_states == WS_pro_states_counts;
}

/* ---- Events ---- */

static void warp_ends(struct sm *sm, u32 block)
{
    struct pro *own = sm->policy;
    const bool first = ++own->blocks[block].ended == 1;
    if (by_counts(sm))
        come_into(sm, block, state_by_counts(sm, block));
    else if (first && !own->slow && sm->machine->pro_finish == WS_toggle_on)
        come_into(sm, block, FINISH_WAIT);
    if (first && own->slow)
        order_warps(sm, block, true);
    for (u32 other = 0; other < sm->image->blocks; other++)
        own->blocks[other].at_end = own->blocks[other].progress;
}

static void warp_arrives_at_barrier(struct sm *sm, u32 block)
{
    struct pro *own = sm->policy;
    const bool first = ++own->blocks[block].waiting == 1;
    if (by_counts(sm))
        come_into(sm, block, state_by_counts(sm, block));
    else if (first && sm->machine->pro_barrier == WS_toggle_on)
        come_into(sm, block, BARRIER_WAIT);
    for (u32 other = 0; other < sm->image->blocks; other++)
        own->blocks[other].at_arrival = own->blocks[other].progress;
}

static void block_released(struct sm *sm, u32 block, u32 warps)
{
    struct pro *own = sm->policy;
    const enum block_state before = own->blocks[block].state;
    own->blocks[block].waiting -= warps;
    if (by_counts(sm))
        come_into(sm, block, state_by_counts(sm, block));
    else if (sm->machine->pro_barrier == WS_toggle_on)
        come_into(sm, block, without_wait(sm));
    if (own->blocks[block].state != before && own->blocks[block].state == without_wait(sm) &&
        sm->machine->pro_release == WS_pro_release_sort)
        order_warps(sm, block, own->slow);
}

static void block_enters(struct sm *sm, u32 block)
{
    struct pro *own = sm->policy;
    own->blocks[block] = (struct pro_block){.state = without_wait(sm)};
}

static void event(struct sm *sm, const struct event *event)
{
    switch (event->kind) {
    case WARP_ENDS:
        warp_ends(sm, event->block);
        break;
    case WARP_ARRIVES:
        warp_arrives_at_barrier(sm, event->block);
        break;
    case BLOCK_RELEASED:
        block_released(sm, event->block, event->slot);
        break;
    case BLOCK_ENTERS:
        block_enters(sm, event->block);
        break;
    case WARP_ENTERS:
        ((struct pro *)sm->policy)->warps[event->slot] = (struct pro_warp){0};
    }
}

/* ---- The rotate step ---- */

static void begin_slow_phase(struct sm *sm)
{
    struct pro *own = sm->policy;
    own->slow = true;
    for (u32 block = 0; block < sm->image->blocks; block++)
        if (by_counts(sm))
            come_into(sm, block, state_by_counts(sm, block));
        else if (own->blocks[block].state != BARRIER_WAIT)
            come_into(sm, block, FINISH_NO_WAIT);
}

static void sort(struct sm *sm, bool all_warps)
{
    struct pro *own = sm->policy;
    own->least_first = own->slow;
    for (u32 block = 0; block < sm->image->blocks; block++) {
        own->blocks[block].sorted = own->blocks[block].progress;
        if (all_warps || own->blocks[block].state == without_wait(sm))
            order_warps(sm, block, own->slow);
    }
}

static void tick(struct sm *sm)
{
    const struct pro *own = sm->policy;
    const bool flips = !own->slow && sm->rules.dispatch->all_entered(sm);
    const bool flip_sorts = flips && sm->machine->pro_flip == WS_pro_flip_sort;
    if (flips)
        begin_slow_phase(sm);
    if (flip_sorts || (sm->now > 0 && sm->now % sm->machine->pro_threshold == 0))
        sort(sm, flip_sorts);
}

/* ---- The choice ---- */

/* Negative if the larger comes first. */
static int by_size(u64 one, u64 other, bool least_first)
{
    return one == other ? 0 : (one < other) == least_first ? -1 : 1;
}

static int compare_in_state(const struct pro *own, const struct pro_block *one, const struct pro_block *other)
{
    int order;
    switch (one->state) {
    case FINISH_WAIT:
        order = by_size(one->ended, other->ended, false);
        return order ? order : by_size(one->at_end, other->at_end, false);
    case BARRIER_WAIT:
        order = by_size(one->waiting, other->waiting, false);
        return order ? order : by_size(one->at_arrival, other->at_arrival, false);
    default:
        return by_size(one->sorted, other->sorted, own->least_first);
    }
}

static int compare_blocks(const struct pro *own, u32 one, u32 other)
{
    const struct pro_block *const first = &own->blocks[one], *const second = &own->blocks[other];
    if (first->state != second->state)
        return first->state < second->state ? -1 : 1;
    const int order = compare_in_state(own, first, second);
    return order ? order : one < other ? -1 : 1; /* blocks enter in their order */
}

static bool comes_before(const struct sm *sm, u32 one, u32 other)
{
    const struct pro *own = sm->policy;
    const u32 block = sm->warps[one].block;
    if (block != sm->warps[other].block)
        return compare_blocks(own, block, sm->warps[other].block) < 0;
    const int order = by_size(own->warps[one].ordered, own->warps[other].ordered, own->blocks[block].warps_least_first);
    return order ? order < 0 : sm->warps[one].number < sm->warps[other].number;
}

static u32 choose(const struct sm *sm, u32 port, const bool *ready)
{
    const u32 slots = port_slots(sm, port);
    u32 first = NO_WARP;
    for (u32 n = 0; n < slots; n++) {
        const u32 slot = port_slot(sm, port, n);
        if (ready[slot] && (first == NO_WARP || comes_before(sm, slot, first)))
            first = slot;
    }
    return first;
}

const struct oracle_policy oracle_policy_pro = {
    .start = start, .finish = finish, .choose = choose, .executed = executed, .issued = issued, .event = event, .tick = tick};
