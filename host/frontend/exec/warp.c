#include "frontend/exec/warp.h"

#include <assert.h>

#include "frontend/exec/turn.h"
#include "frontend/exec/warp_wide.h"

/* Makes a lane the running thread and gives its slots. */
static u64 *select_lane(struct ws_run *run, const struct ws_warp *warp, u32 lane, struct ws_recorder *recorders)
{
    struct ws_plan *const plan = run->plan;
    const u32 index = warp->first + lane;
    run->index = index;
    run->thread.recorder = recorders ? &recorders[index] : NULL;
    if (plan->local_bytes)
        ws_memory_set_local(&plan->memory, run->local + (size_t)index * plan->local_bytes,
                            plan->local_recorded + (run->block * plan->block_threads + index) * plan->local_bytes);
    return run->slots + (size_t)index * run->code.slots;
}

/* The running thread waits at a barrier. False if others wait at another one. */
static bool meet(struct ws_run *run)
{
    struct ws_meeting *const meeting = &run->meeting;
    if (!meeting->at)
        *meeting = (struct ws_meeting){.at = run->thread.at, .barrier = run->thread.barrier, .first = run->index};
    return meeting->at == run->thread.at && meeting->barrier == run->thread.barrier;
}

/* The running lane has stopped. False if that is a fault. */
static bool stopped(struct ws_run *run, struct ws_warp *warp, struct ws_path *path, u32 lane)
{
    const u64 bit = UINT64_C(1) << lane;
    if (run->thread.stop == WS_STOP_warp_wide) {
        path->waits = run->thread.at;
        return true;
    }
    warp->running &= ~bit;
    if (run->thread.stop == WS_STOP_exit)
        return true;
    warp->waiting |= bit;
    return run->thread.stop == WS_STOP_barrier && meet(run);
}

/* One lane on its own, as far as its path and the turn go. */
static bool run_alone(struct ws_run *run, struct ws_warp *warp, struct ws_path *path, u32 lane, struct ws_recorder *recorders)
{
    u64 *const slots = select_lane(run, warp, lane, recorders);
    struct ws_basic_block *block = path->at;
    u64 budget = run->budget;
    do {
        budget -= block->length;
        block->executed++;
        block = block->first->run(block->first, slots, &run->thread);
    } while (block && block != path->until && block->length <= budget);
    const u64 executed = run->budget - budget;
    run->budget = budget;
    run->spent += executed;
    run->used[run->index] += executed;
    path->at = block ? block : path->until;
    return block || stopped(run, warp, path, lane);
}

static void push(struct ws_warp *warp, struct ws_basic_block *at, struct ws_basic_block *until, u64 lanes)
{
    if (at == until)
        return;
    assert(warp->depth < ws_most_paths(warp->threads));
    warp->paths[warp->depth++] = (struct ws_path){.at = at, .until = until, .lanes = lanes};
}

/* The lanes of the topmost path diverge at the end of block: `taken` continue at the branch target, the others at next. */
static void diverge(struct ws_warp *warp, const struct ws_basic_block *block, u64 taken, u64 others, struct ws_basic_block *next)
{
    struct ws_path *const path = &warp->paths[warp->depth - 1];
    struct ws_basic_block *reconverge = block->reconverge;
    if (reconverge && reconverge != path->until) {
        path->at = reconverge;
    } else {
        reconverge = path->until;
        warp->depth--;
    }
    push(warp, next, reconverge, others);
    push(warp, block->taken, reconverge, taken);
}

/* Runs several lanes, one after another, through one basic block. No order between their accesses matters in it (effects.c), so
 * this equals executing each operation for all lanes at once. */
static bool run_together(struct ws_run *run, struct ws_warp *warp, struct ws_path *path, u64 lanes, struct ws_recorder *recorders)
{
    struct ws_basic_block *const block = path->at, *next = path->until;
    u64 taken = 0, others = 0;
    u32 count = 0;
    for (u64 left = lanes; left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left);
        u64 *const slots = select_lane(run, warp, lane, recorders);
        struct ws_basic_block *const to = block->first->run(block->first, slots, &run->thread);
        count++;
        run->used[run->index] += block->length;
        if (!to) {
            if (!stopped(run, warp, path, lane))
                return false;
        } else if (to == block->taken) {
            taken |= UINT64_C(1) << lane;
        } else {
            others |= UINT64_C(1) << lane;
            next = to;
        }
    }
    block->executed += count;
    run->budget -= block->length;
    run->spent += (u64)count * block->length;
    if (taken && others)
        diverge(warp, block, taken, others, next);
    else
        path->at = taken ? block->taken : next;
    return true;
}

/* Whether the turn ends before the block. */
static bool overwrites(struct ws_warp *warp, const struct ws_basic_block *block)
{
    if (!(block->writes & warp->loaded)) {
        warp->loaded |= block->reads;
        return false;
    }
    warp->watches = false;
    return true;
}

bool ws_warp_run(struct ws_run *run, struct ws_warp *warp, struct ws_recorder *recorders)
{
    enum ws_turn turn = ws_turn_begin(run, warp);
    while (warp->running && turn == WS_TURN_goes_on) {
        assert(warp->depth > 0);
        struct ws_path *const path = &warp->paths[warp->depth - 1];
        const u64 lanes = path->lanes & warp->running;
        if (!lanes || path->at == path->until) {
            if (lanes && path->waits)
                turn = ws_warp_wide_meet(run, warp);
            else
                warp->depth--;
            continue;
        }
        if (path->at->length > run->budget || run->thread.yields) {
            turn = ws_turn_continue(run, warp, path, lanes);
            continue;
        }
        if (warp->watches && overwrites(warp, path->at)) {
            turn = WS_TURN_yields;
            continue;
        }
        run->steps++;
        warp->brought = 0;
        const bool alone = (lanes & (lanes - 1)) == 0 && !warp->watches;
        const bool good = alone ? run_alone(run, warp, path, (u32)__builtin_ctzll(lanes), recorders)
                                : run_together(run, warp, path, lanes, recorders);
        if (!good)
            turn = WS_TURN_failed;
    }
    ws_turn_end(run);
    return turn != WS_TURN_failed;
}
