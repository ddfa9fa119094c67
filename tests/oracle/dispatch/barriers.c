/* Barriers of a block, at which ended warps count as arrived, and of part of one (order.md, divergence.md). */
#include "oracle/sm.h"

/* ---- Part of a block ---- */

/* Threads with which a warp counts: the last warp includes the missing threads of its warp of 32. */
static u32 threads_that_come(const struct sm *sm, const struct warp *warp)
{
    const u32 size = sm->machine->core_warp_size, first = warp->number * size;
    u32 threads = 0;
    for (u32 thread = first; thread < first + size; thread++)
        threads += thread < sm->image->block_threads;
    for (u32 thread = sm->image->block_threads; warp->number == warps_per_block(sm) - 1 && thread % WS_LANES != 0; thread++)
        threads++;
    return threads;
}

static void let_go(struct sm *sm, u32 block, u32 number)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        struct warp *warp = &sm->warps[slot];
        if (warp->state == WARP_RUNS && warp->block == block && warp->named && warp->named->bytes == number)
            warp->let_go = true;
    }
    count(sm, WS_COUNT_barrier_releases, 1);
}

void warp_at_barrier(struct sm *sm, struct warp *warp, const struct ws_instruction *ins)
{
    u32 *come = &sm->named[warp->block].come[ins->bytes % WS_NAMED_BARRIERS];
    if (!(ins->flags & WS_NAMED)) {
        warp_arrives(sm, warp);
        return;
    }
    if (ins->flags & WS_ARRIVES) {
        count(sm, WS_COUNT_barrier_arrivals, 1);
    } else {
        warp_arrives(sm, warp);
        warp->named = ins;
    }
    *come += threads_that_come(sm, warp);
    if (*come < ins->target)
        return;
    *come = 0;
    let_go(sm, warp->block, ins->bytes);
}

/* ---- All of a block ---- */

static bool all_arrived(const struct sm *sm, u32 block)
{
    if (sm->rules.dispatch->unissued && sm->rules.dispatch->unissued(sm, block) > 0)
        return false;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const struct warp *warp = &sm->warps[slot];
        if (warp->state == WARP_RUNS && warp->block == block && (!warp->at_barrier || warp->named))
            return false;
    }
    return true;
}

static bool is_at_barrier(const struct warp *warp)
{
    return warp->state == WARP_RUNS && warp->at_barrier;
}

static void release_block(struct sm *sm, u32 block)
{
    const bool all = all_arrived(sm, block);
    u32 released = 0;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        struct warp *warp = &sm->warps[slot];
        if (!is_at_barrier(warp) || warp->block != block || !(all || warp->let_go))
            continue;
        warp->at_barrier = warp->let_go = false;
        warp->named = NULL;
        released++;
        if (sm->rules.path->released)
            sm->rules.path->released(sm, slot);
    }
    count(sm, WS_COUNT_barrier_releases, all && released > 0);
    if (released > 0)
        event_add(sm, BLOCK_RELEASED, released, block);
}

/* Blocks ordered by their first warp's slot. */
void barriers_release(struct sm *sm)
{
    const struct warp *before = NULL;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++) {
        const struct warp *const warp = &sm->warps[slot];
        if (!is_at_barrier(warp) || (before && before->block == warp->block))
            continue;
        release_block(sm, warp->block);
        before = warp;
    }
}
